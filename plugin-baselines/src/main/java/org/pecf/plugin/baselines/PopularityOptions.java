package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/**
 * Set the hyper-parameters of popularity.
 *
 * @param shrinkage how much weight of ratings 0 every item is given beside its own
 */
record PopularityOptions(
    @Option(
            value = "weight of ratings 0 that every item is given beside its own",
            defaultValue = "0.001",
            min = 1e-6)
        double shrinkage) {}
