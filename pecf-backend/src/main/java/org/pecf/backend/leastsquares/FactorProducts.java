package org.pecf.backend.leastsquares;

import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.LinearAlgebra;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.Worker;

/** Products of tall matrices of factors, computed by one worker. */
public final class FactorProducts {
  private final LinearAlgebra.Caller algebra;

  private FactorProducts(Worker worker) {
    this.algebra = worker.algebra();
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
