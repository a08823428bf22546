package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/**
 * The hyper-parameters of item neighbourhoods.
 *
 * @param shrinkage the number added to the denominator of the similarity
 */
record ItemNeighboursOptions(
    @Option(
            value = "number of most similar items by which an item is scored",
            defaultValue = "100",
            min = 1)
        int neighbours,
    @Option(
            value = "strength with which similarities based on few users are drawn to zero",
            defaultValue = "10",
            min = 0)
        double shrinkage) {}
