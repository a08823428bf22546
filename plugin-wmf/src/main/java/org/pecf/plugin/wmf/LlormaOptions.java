package org.pecf.plugin.wmf;

import org.pecf.api.plugin.Option;

/** The hyper-parameters of local low-rank approximation. */
record LlormaOptions(
    @Option(
            value = "anchors among the users, and among the items; each pair has a local model",
            defaultValue = "4",
            min = 1,
            max = 64)
        int anchors,
    @Option(
            value = "angle from an anchor, in radians, at which its influence ends",
            defaultValue = "2.5",
            min = 0.01,
            max = 100)
        double bandwidth,
    @Option(
            value = "number of factors of each local model",
            defaultValue = "10",
            min = 1,
            max = 1024)
        int rank,
    @Option(value = "sweeps of each local model", defaultValue = "8", min = 1, max = 100000)
        int iterations,
    @Option(
            value = "penalty of users and items; a local model has its share of it",
            defaultValue = "4",
            min = 1e-6)
        double lambda,
    @Option(
            value = "a row's penalty grows with its weight to this power; the mean stays",
            defaultValue = "1",
            min = 0,
            max = 1)
        double frequencyExponent,
    @Option(
            value = "standard deviation of the random start",
            defaultValue = "0.1",
            min = 1e-6,
            max = 100)
        double deviation) {

  /** Return the options of the factorisations. */
  WmfOptions factorisation() {
    return WmfOptions.of(rank, iterations, lambda, frequencyExponent, deviation);
  }
}
