package org.pecf.plugin.backend.cpu.leastsquares;

import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;

/** Multiply tall matrices of factors. */
final class Products {
  private Products() {}

  /**
   * Compute {@code target = scale left' right}.
   *
   * @param target the address of the product. Modified.
   */
  static void cross(Worker worker, FloatMatrix left, FloatMatrix right, float scale, long target) {
    worker
        .algebra()
        .multiply(
            true,
            false,
            left.columns(),
            right.columns(),
            left.rows(),
            scale,
            left.rowAddress(0),
            left.columns(),
            right.rowAddress(0),
            right.columns(),
            0,
            target,
            right.columns());
  }

  /** Return {@code sum_ij (u_i . v_j) (x_i . y_j)} = the inner product of U'X and V'Y. */
  static double gramianProduct(Worker worker, FactorModel left, FactorModel right) {
    int size = left.rank() * right.rank();
    NativeFloats users = worker.offHeap("gramian.users", size);
    NativeFloats items = worker.offHeap("gramian.items", size);
    cross(worker, left.users(), right.users(), 1, users.address(0));
    cross(worker, left.items(), right.items(), 1, items.address(0));
    double product = 0;
    for (int k = 0; k < size; k++) {
      product += (double) users.get(k) * items.get(k);
    }
    return product;
  }

  /** Return the sum of every column. */
  static double[] columnSums(FloatMatrix matrix) {
    double[] sums = new double[matrix.columns()];
    float[] row = new float[matrix.columns()];
    for (int i = 0; i < matrix.rows(); i++) {
      matrix.readRow(i, row);
      for (int k = 0; k < row.length; k++) {
        sums[k] += row[k];
      }
    }
    return sums;
  }
}
