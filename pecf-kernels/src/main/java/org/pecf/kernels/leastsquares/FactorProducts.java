package org.pecf.kernels.leastsquares;

import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.kernels.algebra.FloatSlice;
import org.pecf.kernels.algebra.LinearAlgebra;
import org.pecf.kernels.algebra.MatrixSlice;
import org.pecf.kernels.algebra.ScratchFloats;
import org.pecf.kernels.algebra.Worker;

/** Products of tall matrices of factors, computed by one worker. */
public final class FactorProducts {
  private final LinearAlgebra.Caller algebra;
  private final ScratchFloats userProduct;
  private final ScratchFloats itemProduct;

  private FactorProducts(Worker worker) {
    this.algebra = worker.algebra();
    this.userProduct = worker.scratch();
    this.itemProduct = worker.scratch();
  }

  /** Return the products of a worker. */
  public static FactorProducts of(Worker worker) {
    return worker.kernel(FactorProducts.class, FactorProducts::new);
  }

  /**
   * Compute {@code target = scale left' right}.
   *
   * @param target Modified.
   */
  public void cross(FloatMatrix left, FloatMatrix right, float scale, FloatSlice target) {
    algebra.multiply(
        scale,
        MatrixSlice.of(left).transpose(),
        MatrixSlice.of(right),
        0,
        MatrixSlice.of(target, left.columns(), right.columns()));
  }

  /** Return {@code sum_ij (u_i . v_j) (x_i . y_j)}, the inner product of U'X and V'Y. */
  public double gramianProduct(FactorModel left, FactorModel right) {
    int size = left.rank() * right.rank();
    FloatSlice users = userProduct.slice(size);
    FloatSlice items = itemProduct.slice(size);
    cross(left.users(), right.users(), 1, users);
    cross(left.items(), right.items(), 1, items);
    double product = 0;
    for (int k = 0; k < size; k++) {
      product += (double) users.get(k) * items.get(k);
    }
    return product;
  }

  /** Return the sum of every column. */
  public static double[] columnSums(FloatMatrix matrix) {
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
