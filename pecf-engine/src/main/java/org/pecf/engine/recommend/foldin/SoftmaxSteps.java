package org.pecf.engine.recommend.foldin;

import java.util.Arrays;
import org.pecf.api.memory.RowRule;

/** The row that gradient steps lead to, as {@link RowRule.Softmax} defines it. */
final class SoftmaxSteps {
  /** The length of a step, in multiples of the temperature: the slope of a softmax is 1 / t. */
  private static final double RATE = 4;

  private final RowRule.Softmax rule;
  private final FixedSide side;
  private final int rank;

  SoftmaxSteps(RowRule.Softmax rule, FixedSide side) {
    this.rule = rule;
    this.side = side;
    this.rank = side.rank() - 1;
  }

  /**
   * Return the row of some positives.
   *
   * @param positives ascending. Not modified.
   */
  float[] row(int[] positives, RowWeights weights) {
    float[] row = new float[rank + 1];
    row[rank] = 1;
    double[] pull = pull(positives, weights);
    if (pull.length == 0) {
      return row;
    }
    double[] x = unit(pull);
    for (int step = 0; step < rule.steps(); step++) {
      double[] push = expectation(x);
      for (int k = 0; k < rank; k++) {
        x[k] += RATE * rule.temperature() * (pull[k] - push[k]);
      }
      x = unit(x);
    }
    for (int k = 0; k < rank; k++) {
      row[k] = (float) x[k];
    }
    return row;
  }

  /**
   * Return the weighted mean of the positives; nothing if there is none or all scores are equal.
   */
  private double[] pull(int[] positives, RowWeights weights) {
    double[] mean = new double[rank];
    double total = 0;
    float[] factors = new float[rank + 1];
    for (int cell : positives) {
      double weight = weights.at(cell, 1);
      side.read(cell, factors);
      for (int k = 0; k < rank; k++) {
        mean[k] += weight * factors[k];
      }
      total += weight;
    }
    double length = 0;
    for (int k = 0; k < rank; k++) {
      mean[k] /= total * rule.slope();
      length += mean[k] * mean[k];
    }
    return length > 0 && length < Double.POSITIVE_INFINITY ? mean : new double[0];
  }

  private static double[] unit(double[] x) {
    double square = 0;
    for (double value : x) {
      square += value * value;
    }
    double[] unit = x.clone();
    for (int k = 0; square > 0 && k < unit.length; k++) {
      unit[k] /= Math.sqrt(square);
    }
    return unit;
  }

  /** Return the mean of all cells, each as much as the softmax of a row gives it. */
  private double[] expectation(double[] x) {
    float[] scaled = new float[rank + 1];
    for (int k = 0; k < rank; k++) {
      scaled[k] = (float) (x[k] / (rule.slope() * rule.temperature()));
    }
    float highest = (float) (1 / rule.temperature());
    double[] mean = new double[rank];
    double[] total = new double[1];
    float[] scores = new float[side.rows()];
    float[] sum = new float[rank + 1];
    side.forEachBlock(
        (first, count, values) -> {
          RowProducts.compute(scaled, values, count, scores, first);
          Arrays.fill(sum, 0);
          for (int r = 0; r < count; r++) {
            // Cosines are at most 1: the exponent is not above 0 but for rounding.
            float share = (float) Math.exp(scores[first + r] - highest);
            total[0] += share;
            int at = r * (rank + 1);
            for (int k = 0; k <= rank; k++) {
              sum[k] += share * values[at + k];
            }
          }
          for (int k = 0; k < rank; k++) {
            mean[k] += sum[k];
          }
        });
    for (int k = 0; k < rank; k++) {
      mean[k] /= total[0] * rule.slope();
    }
    return mean;
  }
}
