package org.pecf.plugin.related.accams;

import org.pecf.api.plugin.Option;

/** The hyper-parameters of ACCAMS. */
record AccamsOptions(
    @Option(value = "co-clusterings in the sum", defaultValue = "5", min = 1, max = 1000)
        int stencils,
    @Option(
            value = "clusters of users, and of items, of a stencil",
            defaultValue = "5",
            min = 1,
            max = 1000)
        int clusters,
    @Option(value = "sweeps over all stencils", defaultValue = "5", min = 1, max = 100000)
        int iterations,
    @Option(value = "fits of a stencil per sweep", defaultValue = "5", min = 1, max = 1000)
        int refinements,
    @Option(value = "competing starts of a new stencil", defaultValue = "3", min = 1, max = 1000)
        int restarts,
    @Option(value = "penalty of a stencil's entries", defaultValue = "10", min = 0) double lambda,
    @Option(
            value = "share of the missing cells to learn from; their weights grow accordingly",
            defaultValue = "0.01",
            min = 1e-6,
            max = 1)
        double negatives) {}
