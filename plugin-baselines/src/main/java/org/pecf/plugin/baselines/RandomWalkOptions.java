package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/**
 * The hyper-parameters of random walks.
 *
 * @param alpha the exponent of the chances of steps
 * @param beta the exponent of the discount of popular items
 * @param neighbours the most items from which a walk reaches an item
 */
record RandomWalkOptions(
    @Option(value = "exponent of the chances of steps", defaultValue = "0.6", min = 0, max = 2)
        double alpha,
    @Option(
            value = "exponent by which popular items are discounted",
            defaultValue = "0.25",
            min = 0,
            max = 2)
        double beta,
    @Option(
            value = "number of items from which an item is reached best",
            defaultValue = "500",
            min = 1)
        int neighbours) {}
