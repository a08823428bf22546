package org.pecf.plugin.bpr;

import java.util.OptionalDouble;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.plugin.Option;

/**
 * Set the hyper-parameters of Bayesian personalised ranking.
 *
 * @param rank d, the item bias not counted
 * @param iterations epochs, each of as many samples as there are positives
 * @param learningRate the length of the first epoch's steps
 * @param learningRateSchedule how it goes on
 * @param lambda the penalty of all factors of a sample
 * @param lambdaUser the penalty of the user, if it is to differ
 * @param lambdaItem the penalty of the positive item, if it is to differ
 * @param lambdaNegative the penalty of the negative item, if it is to differ
 * @param negatives how negatives are drawn
 * @param popularityPower the power of popularity they are drawn by
 * @param bias whether items have a bias
 * @param mode whether equal seeds give equal models
 * @param deviation the standard deviation of the random start
 */
record BprOptions(
    @Option(value = "number of factors", defaultValue = "50", min = 1, max = 4096) int rank,
    @Option(value = "epochs, of a sample a positive each", defaultValue = "30", min = 1, max = 1e5)
        int iterations,
    @Option(value = "length of the steps", defaultValue = "0.1", min = 1e-9, max = 10)
        double learningRate,
    @Option(value = "how the learning rate goes from epoch to epoch", defaultValue = "constant")
        Schedule learningRateSchedule,
    @Option(value = "penalty of all factors of a sample", defaultValue = "0.01", min = 0)
        double lambda,
    @Option(value = "penalty of users, if it is to differ from lambda", defaultValue = "", min = 0)
        OptionalDouble lambdaUser,
    @Option(
            value = "penalty of positive items, if it is to differ from lambda",
            defaultValue = "",
            min = 0)
        OptionalDouble lambdaItem,
    @Option(
            value = "penalty of negative items, if it is to differ from lambda",
            defaultValue = "",
            min = 0)
        OptionalDouble lambdaNegative,
    @Option(
            value = "how negatives are drawn: all items alike, or by their popularity",
            defaultValue = "uniform")
        Negatives negatives,
    @Option(
            value = "with negatives=popularity, the power of an item's number of positives",
            defaultValue = "0.75",
            min = 0,
            max = 10)
        double popularityPower,
    @Option(value = "whether items have a bias", defaultValue = "true") boolean bias,
    @Option(
            value = "deterministic: the same model for the same seed; lock-free: not quite",
            defaultValue = "deterministic")
        PairwiseMode mode,
    @Option(
            value = "standard deviation of the random start",
            defaultValue = "0.1",
            min = 1e-6,
            max = 100)
        double deviation) {
  /** Name the ways to draw negatives. */
  enum Negatives {
    /** All items alike. */
    UNIFORM,
    /** In proportion to a power of the number of positives. */
    POPULARITY
  }

  /** Return the penalties. */
  PairwisePenalties penalties() {
    return new PairwisePenalties(
        lambdaUser.orElse(lambda), lambdaItem.orElse(lambda), lambdaNegative.orElse(lambda));
  }

  /** Return the power of popularity that negatives are drawn by. */
  double popularity() {
    return negatives == Negatives.UNIFORM ? 0 : popularityPower;
  }
}
