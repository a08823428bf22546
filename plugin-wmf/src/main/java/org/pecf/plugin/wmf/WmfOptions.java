package org.pecf.plugin.wmf;

import java.util.OptionalDouble;
import org.pecf.api.compute.Ridge;
import org.pecf.api.plugin.Option;

/**
 * Set the hyper-parameters of weighted matrix factorisation.
 *
 * @param rank d
 * @param iterations sweeps at most; each solves users, then items
 * @param lambda the penalty of both sides
 * @param lambdaUser the penalty of users, if it is to differ
 * @param lambdaItem the penalty of items, if it is to differ
 * @param frequencyExponent p of the penalty's growth with a row's weight
 * @param tolerance the relative fall of the objective over a sweep below which training stops
 * @param deviation the standard deviation of the random start
 */
record WmfOptions(
    @Option(value = "number of factors", defaultValue = "50", min = 1, max = 4096) int rank,
    @Option(value = "sweeps at most", defaultValue = "8", min = 1, max = 100000) int iterations,
    @Option(value = "penalty of users and items", defaultValue = "4", min = 1e-9) double lambda,
    @Option(
            value = "penalty of users, if it is to differ from lambda",
            defaultValue = "",
            min = 1e-9)
        OptionalDouble lambdaUser,
    @Option(
            value = "penalty of items, if it is to differ from lambda",
            defaultValue = "",
            min = 1e-9)
        OptionalDouble lambdaItem,
    @Option(
            value = "a row's penalty grows with its weight to this power; the mean stays lambda",
            defaultValue = "1",
            min = 0,
            max = 1)
        double frequencyExponent,
    @Option(
            value = "stop when a sweep lowers the objective by less than this fraction; 0 never",
            defaultValue = "0",
            min = 0,
            max = 1)
        double tolerance,
    @Option(
            value = "standard deviation of the random start",
            defaultValue = "0.1",
            min = 1e-6,
            max = 100)
        double deviation) {

  /** Return the penalties. */
  Ridge ridge() {
    return new Ridge(lambdaUser.orElse(lambda), lambdaItem.orElse(lambda), frequencyExponent);
  }
}
