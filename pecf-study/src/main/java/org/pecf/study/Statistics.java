package org.pecf.study;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.TTest;

/** The statistics that tell differences from chance. */
public final class Statistics {
  private Statistics() {}

  /** Return the mean. */
  public static double mean(double... values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  /** Return {@code sqrt(sum (x - mean)^2 / (n - 1))}; NaN for fewer than two values. */
  public static double deviation(double... values) {
    double mean = mean(values);
    double squares = Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum();
    return values.length < 2 ? Double.NaN : Math.sqrt(squares / (values.length - 1));
  }

  /**
   * Return half the width of the 95 % confidence interval of the mean, {@code t(0.975; n - 1) s /
   * sqrt(n)}; NaN for fewer than two values.
   */
  public static double halfWidth(double... values) {
    if (values.length < 2) {
      return Double.NaN;
    }
    double quantile = TDistribution.of(values.length - 1.0).inverseCumulativeProbability(0.975);
    return quantile * deviation(values) / Math.sqrt(values.length);
  }

  /**
   * Return the two-sided p-value of the paired t-test that the mean difference is zero: {@code t =
   * mean(d) sqrt(n) / s(d)} with n - 1 degrees of freedom. Without any difference it is 1.
   *
   * @param one the values of one method, a user each. Not modified.
   * @param other those of another, of the same users. Not modified.
   */
  public static double pairedTest(double[] one, double[] other) {
    if (one.length != other.length || one.length < 2) {
      throw new IllegalArgumentException(
          "paired values are needed, not " + one.length + " and " + other.length);
    }
    // Where all differences are the same, t is a division by zero.
    double[] differences =
        IntStream.range(0, one.length).mapToDouble(k -> one[k] - other[k]).toArray();
    if (deviation(differences) == 0) {
      return mean(differences) == 0 ? 1 : 0;
    }
    return TTest.withDefaults().pairedTest(one, other).getPValue();
  }

  /**
   * Correct p-values for being many, after Holm: the k-th smallest of m, counted from 0, becomes
   * {@code max over the smaller ones of min(1, (m - k) p)}.
   *
   * @param values in any order. Not modified.
   * @return the corrected values, in the same order
   */
  public static double[] holm(double... values) {
    List<Integer> order =
        IntStream.range(0, values.length)
            .boxed()
            .sorted(Comparator.comparingDouble(k -> values[k]))
            .toList();
    double[] corrected = new double[values.length];
    double largest = 0;
    for (int k = 0; k < values.length; k++) {
      int place = order.get(k);
      largest = Math.max(largest, Math.min(1, (values.length - k) * values[place]));
      corrected[place] = largest;
    }
    return corrected;
  }
}
