package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/**
 * Set the hyper-parameters of item neighbourhoods.
 *
 * @param neighbours how many of the most similar items an item is scored by, at most
 * @param shrinkage what is added to the denominator of the similarity
 */
record ItemNeighboursOptions(
    @Option(
            value = "how many of the most similar items an item is scored by",
            defaultValue = "100",
            min = 1)
        int neighbours,
    @Option(
            value = "how strongly similarities seen at few users are drawn to zero",
            defaultValue = "10",
            min = 0)
        double shrinkage) {}
