package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/** The hyper-parameters of popularity. */
record PopularityOptions(
    @Option(
            value = "weight of ratings 0 that every item gets in addition to its own",
            defaultValue = "0.001",
            min = 1e-6)
        double shrinkage) {}
