package org.pecf.plugin.related.accams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.pecf.api.run.Seed;

class DrawsTest {
  private static final int COUNT = 20000;

  private final Draws draws = new Draws(new Seed(1));

  @Test
  void normalNumbersHaveMeanZeroAndVarianceOne() {
    double sum = 0;
    double squares = 0;
    double beyond = 0;
    for (int k = 0; k < COUNT; k++) {
      double x = draws.normal();
      sum += x;
      squares += x * x;
      beyond += Math.abs(x) > 1.959964 ? 1 : 0;
    }
    assertEquals(0, sum / COUNT, 0.03);
    assertEquals(1, squares / COUNT, 0.04);
    assertEquals(0.05, beyond / COUNT, 0.006);
  }

  @Test
  void gammaNumbersHaveMeanAndVarianceOfTheShape() {
    for (double shape : new double[] {0.3, 1, 2.5, 400}) {
      double sum = 0;
      double squares = 0;
      for (int k = 0; k < COUNT; k++) {
        double x = draws.gamma(shape);
        sum += x;
        squares += (x - shape) * (x - shape);
      }
      // Four standard errors: of the mean sqrt(shape / n), of the variance from the kurtosis.
      assertEquals(shape, sum / COUNT, 4 * Math.sqrt(shape / COUNT), "mean of " + shape);
      double variance = Math.sqrt((6 / shape + 2) / COUNT) * shape;
      assertEquals(shape, squares / COUNT, 4 * variance, "variance of " + shape);
    }
  }

  @Test
  void indicesComeInProportion() {
    int[] counts = new int[4];
    for (int k = 0; k < COUNT; k++) {
      double[] logarithms = {
        900 + Math.log(1), Double.NEGATIVE_INFINITY, 900 + Math.log(2), 900 + Math.log(5)
      };
      counts[draws.index(logarithms)]++;
    }
    assertEquals(0, counts[1]);
    assertEquals(COUNT / 8.0, counts[0], 200);
    assertEquals(COUNT / 4.0, counts[2], 250);
  }
}
