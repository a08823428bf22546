package org.pecf.plugin.baselines;

import org.pecf.api.plugin.Option;

/**
 * The hyper-parameters of EASE.
 *
 * @param activityExponent e: a user of n positives is scaled by n^-e
 * @param support how many items the sparse form regresses an item on
 */
record EaseOptions(
    @Option(value = "penalty of the item-to-item weights", defaultValue = "100", min = 1e-3)
        double lambda,
    @Option(
            value = "exponent by which users with many positives count less",
            defaultValue = "0",
            min = 0,
            max = 1)
        double activityExponent,
    @Option(
            value = "number of strongest weights that are kept of an item",
            defaultValue = "1000",
            min = 1)
        int neighbours,
    @Option(
            value =
                "how weights are computed: dense inverts a matrix of all items, or users; sparse"
                    + " regresses each item on few others; auto is dense where that fits the"
                    + " memory",
            defaultValue = "auto")
        Form form,
    @Option(
            value = "number of items that an item is regressed on by the sparse form",
            defaultValue = "100",
            min = 1,
            max = 2000)
        int support) {
  /** The ways in which weights are computed. */
  enum Form {
    AUTO,
    DENSE,
    SPARSE
  }
}
