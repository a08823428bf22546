package org.pecf.plugin.accams;

import org.pecf.api.plugin.Option;

/**
 * Set the hyper-parameters of ACCAMS.
 *
 * @param stencils how many co-clusterings are added up
 * @param clusters how many clusters of users, and of items, each has
 * @param iterations sweeps over all stencils
 * @param refinements how often a stencil's users, items and entries are refitted in a sweep
 * @param restarts how many starts of a new stencil compete
 * @param lambda the penalty of a stencil's entries
 * @param negatives the share of the missing cells to learn from
 */
record AccamsOptions(
    @Option(value = "co-clusterings to add up", defaultValue = "5", min = 1, max = 1000)
        int stencils,
    @Option(
            value = "clusters of users, and of items, of a stencil",
            defaultValue = "5",
            min = 1,
            max = 1000)
        int clusters,
    @Option(value = "sweeps over all stencils", defaultValue = "5", min = 1, max = 100000)
        int iterations,
    @Option(value = "fits of a stencil in a sweep", defaultValue = "5", min = 1, max = 1000)
        int refinements,
    @Option(value = "starts of a new stencil that compete", defaultValue = "3", min = 1, max = 1000)
        int restarts,
    @Option(value = "penalty of a stencil's entries", defaultValue = "10", min = 0) double lambda,
    @Option(
            value = "share of the missing cells to learn from, weighed up accordingly",
            defaultValue = "0.01",
            min = 1e-6,
            max = 1)
        double negatives) {}
