package org.pecf.plugin.backend.cuda.device;

import jcuda.Pointer;
import jcuda.driver.CUstream;
import jcuda.jcublas.JCublas2;
import jcuda.jcublas.cublasDiagType;
import jcuda.jcublas.cublasFillMode;
import jcuda.jcublas.cublasHandle;
import jcuda.jcublas.cublasOperation;
import jcuda.jcublas.cublasSideMode;
import jcuda.runtime.cudaStream_t;

/** Linear algebra by cuBLAS on one stream. Nothing is done yet when a method returns. */
public final class DeviceAlgebra implements AutoCloseable {
  private final cublasHandle handle;

  private DeviceAlgebra(cublasHandle handle) {
    this.handle = handle;
  }

  static DeviceAlgebra open(CUstream stream, int mathMode) {
    cublasHandle handle = new cublasHandle();
    CudaFailure.checkProduct(JCublas2.cublasCreate(handle), "starting cuBLAS");
    DeviceAlgebra algebra = new DeviceAlgebra(handle);
    try {
      CudaFailure.checkProduct(
          JCublas2.cublasSetStream(handle, new cudaStream_t(stream)), "giving cuBLAS a stream");
      CudaFailure.checkProduct(
          JCublas2.cublasSetMathMode(handle, mathMode), "setting cuBLAS's math mode");
      return algebra;
    } catch (RuntimeException e) {
      algebra.close();
      throw e;
    }
  }

  /** Return the version of cuBLAS, such as 120600 for 12.6. */
  int version() {
    int[] version = new int[1];
    CudaFailure.checkProduct(
        JCublas2.cublasGetVersion(handle, version), "asking for cuBLAS's version");
    return version[0];
  }

  /**
   * Compute {@code C = alpha A B + beta C}.
   *
   * @param a A or, as a transposed view, its transpose. Not modified.
   * @param b B or, as a transposed view, its transpose. Not modified.
   * @param c C, not transposed. Modified.
   */
  public void multiply(float alpha, DeviceMatrix a, DeviceMatrix b, float beta, DeviceMatrix c) {
    int rows = c.rows();
    int columns = c.columns();
    int inner = a.columns();
    if (rows == 0 || columns == 0) {
      return;
    }
    // cuBLAS counts by columns, so it sees the transpose of everything.
    CudaFailure.checkProduct(
        JCublas2.cublasSgemm(
            handle,
            operation(b),
            operation(a),
            columns,
            rows,
            inner,
            Pointer.to(new float[] {alpha}),
            pointer(b),
            Math.max(1, b.stride()),
            pointer(a),
            Math.max(1, a.stride()),
            Pointer.to(new float[] {beta}),
            pointer(c),
            Math.max(1, c.stride())),
        "multiplying " + rows + " x " + inner + " by " + inner + " x " + columns);
  }

  /**
   * Solve triangular systems in place: {@code U X = B}, or {@code U' X = B} for a transposed view.
   *
   * @param u U, of which the upper triangle is read. Not modified.
   * @param b B, replaced by X. Modified.
   */
  public void solveTriangular(DeviceMatrix u, DeviceMatrix b) {
    int order = u.rows();
    if (order == 0 || b.columns() == 0) {
      return;
    }
    // By columns U is the lower triangle L = U', and X' L' = B' or X' L = B'.
    CudaFailure.checkProduct(
        JCublas2.cublasStrsm(
            handle,
            cublasSideMode.CUBLAS_SIDE_RIGHT,
            cublasFillMode.CUBLAS_FILL_MODE_LOWER,
            operation(u),
            cublasDiagType.CUBLAS_DIAG_NON_UNIT,
            b.columns(),
            order,
            Pointer.to(new float[] {1}),
            pointer(u),
            u.stride(),
            pointer(b),
            b.stride()),
        "solving triangular systems of order " + order);
  }

  private static int operation(DeviceMatrix matrix) {
    return matrix.transposed() ? cublasOperation.CUBLAS_OP_T : cublasOperation.CUBLAS_OP_N;
  }

  private static Pointer pointer(DeviceMatrix matrix) {
    return new PinnedMemory.Address(matrix.floats().address());
  }

  @Override
  public void close() {
    JCublas2.cublasDestroy(handle);
  }
}
