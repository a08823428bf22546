package org.pecf.plugin.baselines;

import java.util.Arrays;
import org.apache.arrow.memory.util.MemoryUtil;
import org.pecf.api.memory.Selection;
import org.pecf.api.memory.SparseMatrix;

/**
 * The regressions of EASE, each on a few items only: those k that by themselves would lower the
 * minimum of item j most, {@code g_kj^2 / (g_kk + lambda)}, with g the Gramian of the items. On
 * these the solution is exact, and all other weights are zero.
 *
 * <p>How far a minimum is above that of the regression on all items is bounded: the objective bends
 * by {@code 2 lambda} at least, so no step lowers it by more than {@code |r|^2 / lambda}, where r
 * are the correlations that the chosen items leave with the others.
 */
final class LocalRegressions {
  private final SparseMatrix gramian;
  private final long columns;
  private final long values;
  private final double lambda;
  private final int support;
  private final float[] diagonal;

  /**
   * Prepare the regressions.
   *
   * @param gramian of the items, complete and symmetric to the bit; borrowed
   * @param support the most items that an item is regressed on
   */
  LocalRegressions(SparseMatrix gramian, double lambda, int support) {
    this.gramian = gramian;
    this.columns = gramian.entryColumns().memoryAddress();
    this.values = gramian.entryValues().memoryAddress();
    this.lambda = lambda;
    this.support = Math.min(support, Math.max(1, gramian.rows() - 1));
    this.diagonal = new float[gramian.rows()];
    for (int item = 0; item < diagonal.length; item++) {
      diagonal[item] = gramian.get(item, item);
    }
  }

  private int column(int position) {
    return MemoryUtil.getInt(columns + (long) position * Integer.BYTES);
  }

  private float value(int position) {
    return Float.intBitsToFloat(MemoryUtil.getInt(values + (long) position * Float.BYTES));
  }

  /** The regression of one item, in the working memory of a thread. */
  final class Regression {
    private final double[] matrix = new double[support * support];
    private final double[] right = new double[support];
    private final double[] solution = new double[support];
    private double[] residuals = {};
    private long[] keys = new long[support];
    private int item;

    /** The items that the item is regressed on, ascending. */
    final int[] items = new int[support];

    /** Their weights. */
    final float[] weights = new float[support];

    int count;

    /**
     * Solve the regression of an item.
     *
     * @return its minimum, the penalty included
     */
    double solve(int which) {
      item = which;
      choose();
      for (int row = 0; row < count; row++) {
        fillRow(row);
      }
      factorise();
      System.arraycopy(right, 0, solution, 0, count);
      substitute();
      double minimum = diagonal[item];
      for (int k = 0; k < count; k++) {
        weights[k] = (float) solution[k];
        minimum -= right[k] * solution[k];
      }
      return minimum;
    }

    private void choose() {
      int start = gramian.rowStart(item);
      int end = gramian.rowStart(item + 1);
      if (keys.length < end - start) {
        keys = new long[end - start];
      }
      int candidates = 0;
      for (int p = start; p < end; p++) {
        int other = column(p);
        float together = value(p);
        if (other != item && together != 0) {
          float gain = (float) (together * together / (diagonal[other] + lambda));
          keys[candidates++] = (long) ~Float.floatToRawIntBits(gain) << Integer.SIZE | other;
        }
      }
      count = Math.min(candidates, support);
      if (count < candidates) {
        Selection.select(keys, candidates, count);
      }
      for (int k = 0; k < count; k++) {
        items[k] = (int) keys[k];
      }
      Arrays.sort(items, 0, count);
      int place = start;
      for (int k = 0; k < count; k++) {
        while (column(place) < items[k]) {
          place++;
        }
        right[k] = value(place);
      }
    }

    /** Look up the elements of a row of the equations from the diagonal on. */
    private void fillRow(int row) {
      int low = gramian.rowStart(items[row]);
      int end = gramian.rowStart(items[row] + 1);
      for (int k = row; k < count; k++) {
        int wanted = items[k];
        int step = 1;
        int high = low;
        // Gallop, then halve: the next is often near.
        while (high < end && column(high) < wanted) {
          low = high + 1;
          high += step;
          step *= 2;
        }
        high = Math.min(high, end);
        while (low < high) {
          int middle = (low + high) >>> 1;
          if (column(middle) < wanted) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
        double element = low < end && column(low) == wanted ? value(low) : 0;
        matrix[row * support + k] = element + (k == row ? lambda : 0);
      }
    }

    /** Factorise {@code A = U'U} in the upper triangle, row by row. */
    private void factorise() {
      for (int row = 0; row < count; row++) {
        int at = row * support;
        double root = Math.sqrt(matrix[at + row]);
        for (int k = row; k < count; k++) {
          matrix[at + k] /= root;
        }
        for (int below = row + 1; below < count; below++) {
          double factor = matrix[at + below];
          int target = below * support;
          if (factor != 0) {
            for (int k = below; k < count; k++) {
              matrix[target + k] -= factor * matrix[at + k];
            }
          }
        }
      }
    }

    /** Solve {@code U'U x = b} in place. */
    private void substitute() {
      for (int row = 0; row < count; row++) {
        solution[row] /= matrix[row * support + row];
        for (int k = row + 1; k < count; k++) {
          solution[k] -= matrix[row * support + k] * solution[row];
        }
      }
      for (int row = count - 1; row >= 0; row--) {
        for (int k = row + 1; k < count; k++) {
          solution[row] -= matrix[row * support + k] * solution[k];
        }
        solution[row] /= matrix[row * support + row];
      }
    }

    /** Return how far the minimum last solved is above that of all items at most. */
    double excess() {
      residuals = residuals.length == 0 ? new double[gramian.rows()] : residuals;
      Arrays.fill(residuals, 0);
      addRow(item, 1);
      for (int k = 0; k < count; k++) {
        addRow(items[k], -weights[k]);
      }
      residuals[item] = 0;
      for (int k = 0; k < count; k++) {
        residuals[items[k]] = 0;
      }
      double square = 0;
      for (double residual : residuals) {
        square += residual * residual;
      }
      return square / lambda;
    }

    private void addRow(int row, double factor) {
      for (int p = gramian.rowStart(row); p < gramian.rowStart(row + 1); p++) {
        residuals[column(p)] += factor * value(p);
      }
    }
  }
}
