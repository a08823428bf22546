package org.pecf.plugin.wmf;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.run.Seed;

/**
 * Some rows of one side, and how near all rows are to each of them. Nearness is Epanechnikov's
 * kernel {@code 1 - (angle / bandwidth)^2}, or 0 beyond the bandwidth, of the angle between
 * factors. A row that is near none is as near as can be to the anchor with the smallest angle, so
 * that every row is near one.
 *
 * @param nearness for each anchor, a number from 0 to 1 for every row
 */
record Anchors(float[][] nearness) {
  /** The number of draws for an anchor before those that were found have to do. */
  private static final int DRAWS = 100;

  /**
   * Draw rows at random, without repetition.
   *
   * @param candidates the rows to draw from, as often as they are to be likely; not empty
   * @return the rows; fewer than asked for where the draws find no others
   */
  static int[] draw(int[] candidates, int count, Seed seed) {
    SplittableRandom random = seed.random();
    Set<Integer> drawn = new LinkedHashSet<>();
    for (int k = 0; k < DRAWS * count && drawn.size() < count; k++) {
      drawn.add(candidates[random.nextInt(candidates.length)]);
    }
    return drawn.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Measure how near all rows of factors are to some of them. */
  static Anchors of(int[] rows, FloatMatrix factors, double bandwidth) {
    float[][] unit = unitRows(factors);
    float[][] nearness = new float[rows.length][factors.rows()];
    for (int row = 0; row < factors.rows(); row++) {
      int nearest = 0;
      double smallest = Double.POSITIVE_INFINITY;
      boolean near = false;
      for (int anchor = 0; anchor < rows.length; anchor++) {
        double angle = row == rows[anchor] ? 0 : angle(unit[row], unit[rows[anchor]]);
        double distance = angle / bandwidth;
        nearness[anchor][row] = (float) Math.max(0, 1 - distance * distance);
        near |= nearness[anchor][row] > 0;
        if (angle < smallest) {
          smallest = angle;
          nearest = anchor;
        }
      }
      if (!near) {
        nearness[nearest][row] = 1;
      }
    }
    return new Anchors(nearness);
  }

  private static float[][] unitRows(FloatMatrix factors) {
    float[][] unit = new float[factors.rows()][factors.columns()];
    for (int row = 0; row < unit.length; row++) {
      factors.readRow(row, unit[row]);
      double length = Math.sqrt(product(unit[row], unit[row]));
      if (length > 0) {
        for (int k = 0; k < unit[row].length; k++) {
          unit[row][k] = (float) (unit[row][k] / length);
        }
      }
    }
    return unit;
  }

  /** Return the angle between unit vectors; a right one if either is zero. */
  private static double angle(float[] left, float[] right) {
    return StrictMath.acos(Math.max(-1, Math.min(1, product(left, right))));
  }

  private static double product(float[] left, float[] right) {
    double sum = 0;
    for (int k = 0; k < left.length; k++) {
      sum += (double) left[k] * right[k];
    }
    return sum;
  }

  /** Return the same with the numbers of every row divided by their sum. */
  Anchors normalised() {
    float[][] shares = Arrays.stream(nearness).map(float[]::clone).toArray(float[][]::new);
    for (int row = 0; row < shares[0].length; row++) {
      float sum = 0;
      for (float[] anchor : nearness) {
        sum += anchor[row];
      }
      for (float[] anchor : shares) {
        anchor[row] /= sum;
      }
    }
    return new Anchors(shares);
  }
}
