package org.pecf.api.compute;

import org.apiguardian.api.API;
import org.pecf.api.memory.FloatMatrix;

/** The kernels for dense matrices of any order, independent of the grid. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface MatrixKernels {
  /**
   * Invert a symmetric positive definite matrix in place: {@code A = A^-1}, symmetric to the bit.
   *
   * @param matrix of as many rows as columns; only its upper triangle is read. Modified; of no use
   *     if this method throws.
   * @throws org.pecf.api.PecfException with {@link org.pecf.api.ErrorCode#BAD_OPTION} if the matrix
   *     is not positive definite in single precision
   */
  void invert(FloatMatrix matrix);

  /**
   * Multiply: {@code C = A B}.
   *
   * @param left A. Not modified.
   * @param right B, of as many rows as A has columns. Not modified.
   * @param product C, of as many rows as A and as many columns as B; neither of them. Modified.
   */
  void multiply(FloatMatrix left, FloatMatrix right, FloatMatrix product);
}
