package org.pecf.engine.construct.weighting;

import java.util.List;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.ValueRange;

/**
 * The weight of a cell by its rating r and its score f: {@code positives exp(-rate f)} where r is
 * 1, {@code zeros exp(rate f)} where it is 0.
 *
 * @param rate at least 0
 * @param positives a constant factor of positives
 * @param zeros a constant factor of zeros
 */
record RankBoostFactor(double rate, double positives, double zeros) implements CellFunction {
  /** The largest exponent: scores beyond it count as if they had it, so that sums stay finite. */
  private static final double LARGEST = 10;

  static RankBoostFactor unscaled(double rate) {
    return new RankBoostFactor(rate, 1, 1);
  }

  RankBoostFactor scaled(double ofPositives, double ofZeros) {
    return new RankBoostFactor(rate, ofPositives, ofZeros);
  }

  @Override
  public float value(float[] arguments) {
    return (float) at(arguments[0] > 0.5f, arguments[1]);
  }

  private double at(boolean positive, double score) {
    double exponent = Math.max(-LARGEST, Math.min(LARGEST, rate * score));
    return positive ? positives * Math.exp(-exponent) : zeros * Math.exp(exponent);
  }

  @Override
  public ValueRange range(List<ValueRange> arguments) {
    ValueRange ratings = arguments.get(0);
    ValueRange scores = arguments.get(1);
    if (ratings.low() <= 0.5 && ratings.high() > 0.5) {
      return ValueRange.UNBOUNDED;
    }
    boolean positive = ratings.low() > 0.5;
    double one = at(positive, scores.low());
    double other = at(positive, scores.high());
    return new ValueRange(Math.min(one, other), Math.max(one, other));
  }
}
