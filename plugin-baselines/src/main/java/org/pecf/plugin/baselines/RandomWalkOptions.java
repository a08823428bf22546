package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/** The hyper-parameters of random walks. */
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
