package org.pecf.plugin.baselines;

import java.util.Arrays;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;

/**
 * The columns of the weights B of EASE.
 *
 * <p>With Z the rows {@code d_i x_i} of the users and {@code P = (Z'Z + lambda I)^-1}, {@code b_kj
 * = -p_kj / p_jj} off the diagonal, and item j contributes {@code 1 / p_jj - lambda} to the
 * minimum.
 */
interface EaseColumns {
  /** Return the number of floats that a computation works with. */
  int workSize();

  /**
   * Compute a column of B. Called from several threads.
   *
   * @param column receives {@code b_kj} of every k, zero for j itself. Modified.
   * @param work Modified.
   * @return {@code 1 / p_jj}
   */
  double compute(int item, float[] column, float[] work);

  /**
   * The columns from the Gramian of the items.
   *
   * @param inverse P
   */
  record ByItems(FloatMatrix inverse) implements EaseColumns {
    @Override
    public int workSize() {
      return 0;
    }

    @Override
    public double compute(int item, float[] column, float[] work) {
      inverse.readRow(item, column);
      float diagonal = column[item];
      for (int k = 0; k < column.length; k++) {
        column[k] = -column[k] / diagonal;
      }
      column[item] = 0;
      return 1.0 / diagonal;
    }
  }

  /**
   * The columns from the Gramian of the users: with {@code G = (Z Z' + lambda I)^-1} and z_j the
   * column of item j in Z, {@code lambda p_kj = [k = j] - z_k' G z_j}, so {@code b_kj = z_k' G z_j
   * / (1 - z_j' G z_j)}. The rows of G of an item's users are added up, and that sum over the users
   * of every item.
   */
  final class ByUsers implements EaseColumns {
    private final FloatMatrix inverse;
    private final Positives users;
    private final float[] scales;
    private final double lambda;

    /**
     * Prepare the columns.
     *
     * @param inverse G, borrowed
     * @param scales d. Not modified.
     */
    ByUsers(FloatMatrix inverse, SparseCells positives, double[] scales, double lambda) {
      this.inverse = inverse;
      this.users = Positives.of(positives, Side.ITEMS);
      this.scales = new float[scales.length];
      for (int user = 0; user < scales.length; user++) {
        this.scales[user] = (float) scales[user];
      }
      this.lambda = lambda;
    }

    @Override
    public int workSize() {
      return inverse.rows();
    }

    @Override
    public double compute(int item, float[] column, float[] work) {
      int order = inverse.rows();
      float[] sum = new float[order];
      addRows(item, sum, work);
      for (int user = 0; user < order; user++) {
        sum[user] *= scales[user];
      }
      for (int k = 0; k < column.length; k++) {
        float product = 0;
        int end = users.start(k + 1);
        for (int p = users.start(k); p < end; p++) {
          product += sum[users.member(p)];
        }
        column[k] = product;
      }
      double rest = 1 - column[item];
      for (int k = 0; k < column.length; k++) {
        column[k] = (float) (column[k] / rest);
      }
      column[item] = 0;
      return lambda / rest;
    }

    private void addRows(int item, float[] sum, float[] row) {
      Arrays.fill(sum, 0);
      for (int p = users.start(item); p < users.start(item + 1); p++) {
        int user = users.member(p);
        float scale = scales[user];
        inverse.readRow(user, row);
        for (int other = 0; other < sum.length; other++) {
          sum[other] += scale * row[other];
        }
      }
    }
  }
}
