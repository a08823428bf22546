package org.pecf.plugin.wmf;

import java.util.OptionalDouble;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.Ridge;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.Side;
import org.pecf.api.plugin.Option;

/** The hyper-parameters of weighted matrix factorisation. */
record WmfOptions(
    @Option(value = "number of factors", defaultValue = "50", min = 1, max = 4096) int rank,
    @Option(value = "most sweeps", defaultValue = "8", min = 1, max = 100000) int iterations,
    @Option(value = "penalty of users and items", defaultValue = "4", min = 1e-9) double lambda,
    @Option(value = "penalty of users, if different from lambda", defaultValue = "", min = 1e-9)
        OptionalDouble lambdaUser,
    @Option(value = "penalty of items, if different from lambda", defaultValue = "", min = 1e-9)
        OptionalDouble lambdaItem,
    @Option(
            value = "a row's penalty grows with its weight to this power; the mean stays lambda",
            defaultValue = "1",
            min = 0,
            max = 1)
        double frequencyExponent,
    @Option(
            value = "stop when a sweep lowers the objective by less than this fraction; 0 = never",
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

  /** Return options with one penalty, without a tolerance. */
  static WmfOptions of(
      int rank, int iterations, double lambda, double frequencyExponent, double deviation) {
    OptionalDouble same = OptionalDouble.empty();
    return new WmfOptions(rank, iterations, lambda, same, same, frequencyExponent, 0, deviation);
  }

  /** Return the same with another penalty of both sides. */
  WmfOptions withLambda(double other) {
    OptionalDouble same = OptionalDouble.empty();
    return new WmfOptions(
        rank, iterations, other, same, same, frequencyExponent, tolerance, deviation);
  }

  /** Return the penalties. */
  Ridge ridge() {
    return new Ridge(lambdaUser.orElse(lambda), lambdaItem.orElse(lambda), frequencyExponent);
  }

  /** Return the rules by which a problem solves rows, for rows that come later. */
  RowRules rules(LeastSquares problem) {
    return new RowRules(rule(problem, Side.USERS), rule(problem, Side.ITEMS));
  }

  private RowRule rule(LeastSquares problem, Side side) {
    return new RowRule.LeastSquares(problem.unitPenalty(side), frequencyExponent);
  }
}
