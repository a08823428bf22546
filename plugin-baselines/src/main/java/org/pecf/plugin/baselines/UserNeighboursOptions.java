package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/**
 * The hyper-parameters of user neighbourhoods.
 *
 * @param shrinkage the number added to the denominator of the similarity
 */
record UserNeighboursOptions(
    @Option(
            value = "number of most similar users by whom a user is served",
            defaultValue = "500",
            min = 1)
        int neighbours,
    @Option(
            value = "exponent by which popular items count less when users are compared",
            defaultValue = "0.35",
            min = 0,
            max = 2)
        double idf,
    @Option(
            value = "strength with which similarities based on few items are drawn to zero",
            defaultValue = "0",
            min = 0)
        double shrinkage,
    @Option(
            value = "exponent of the similarity: higher values favour the most similar users",
            defaultValue = "0.8",
            min = 0,
            max = 10)
        double locality,
    @Option(
            value = "exponent by which popular items are discounted",
            defaultValue = "0.3",
            min = 0,
            max = 2)
        double beta) {}
