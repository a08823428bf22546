package org.pecf.plugin.related.accams;

import java.util.SplittableRandom;
import org.pecf.api.run.Seed;

/** Draws from distributions, which are the same numbers on every JDK. */
final class Draws {
  private final SplittableRandom random;

  Draws(Seed seed) {
    this.random = seed.random();
  }

  /** Draw from the standard normal distribution, by the Box-Muller transform. */
  double normal() {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
    return radius * StrictMath.cos(2 * Math.PI * random.nextDouble());
  }

  /**
   * Draw from the gamma distribution of rate 1, by Marsaglia's and Tsang's rejection.
   *
   * @param shape above 0
   */
  double gamma(double shape) {
    if (shape < 1) {
      return gamma(shape + 1) * StrictMath.pow(1 - random.nextDouble(), 1 / shape);
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = normal();
      double v = 1 + c * x;
      if (v > 0) {
        v = v * v * v;
        double u = 1 - random.nextDouble();
        if (StrictMath.log(u) < 0.5 * x * x + d - d * v + d * StrictMath.log(v)) {
          return d * v;
        }
      }
    }
  }

  /**
   * Draw an index in proportion to weights given by their logarithms.
   *
   * @param logarithms negative infinity for impossible indices; at least one is finite. Modified.
   */
  int index(double[] logarithms) {
    double largest = Double.NEGATIVE_INFINITY;
    for (double logarithm : logarithms) {
      largest = Math.max(largest, logarithm);
    }
    double total = 0;
    for (int k = 0; k < logarithms.length; k++) {
      logarithms[k] = StrictMath.exp(logarithms[k] - largest);
      total += logarithms[k];
    }
    double rest = random.nextDouble() * total;
    int last = 0;
    for (int k = 0; k < logarithms.length; k++) {
      if (logarithms[k] > 0) {
        last = k;
        rest -= logarithms[k];
        if (rest < 0) {
          return k;
        }
      }
    }
    return last;
  }
}
