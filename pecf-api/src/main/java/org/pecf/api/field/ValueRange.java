package org.pecf.api.field;

import org.apiguardian.api.API;

/**
 * A range of values, with its ends.
 *
 * @param low the smallest possible value
 * @param high the largest possible value
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ValueRange(double low, double high) {
  /** The range of which nothing is known. */
  public static final ValueRange UNBOUNDED =
      new ValueRange(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

  public ValueRange {
    if (!(low <= high)) {
      throw new IllegalArgumentException("no value is at least " + low + " and at most " + high);
    }
  }

  /** Return the range of one value. */
  public static ValueRange of(double value) {
    return new ValueRange(value, value);
  }

  /** Return the range of sums. */
  public ValueRange plus(ValueRange other) {
    return new ValueRange(low + other.low, high + other.high);
  }

  /** Return the range of multiples by a number. */
  public ValueRange times(double factor) {
    return times(of(factor));
  }

  /** Return the range of products. */
  public ValueRange times(ValueRange other) {
    double a = multiply(low, other.low);
    double b = multiply(low, other.high);
    double c = multiply(high, other.low);
    double d = multiply(high, other.high);
    return new ValueRange(
        Math.min(Math.min(a, b), Math.min(c, d)), Math.max(Math.max(a, b), Math.max(c, d)));
  }

  /** Return the range of squares. */
  public ValueRange squared() {
    double a = multiply(low, low);
    double b = multiply(high, high);
    return new ValueRange(low <= 0 && high >= 0 ? 0 : Math.min(a, b), Math.max(a, b));
  }

  /** Return whether both ends are finite. */
  public boolean bounded() {
    return Double.isFinite(low) && Double.isFinite(high);
  }

  /** Multiply so that zero times an unbounded end is zero. */
  private static double multiply(double x, double y) {
    return x == 0 || y == 0 ? 0 : x * y;
  }
}
