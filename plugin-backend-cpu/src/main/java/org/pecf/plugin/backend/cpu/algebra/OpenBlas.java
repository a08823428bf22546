package org.pecf.plugin.backend.cpu.algebra;

import static org.bytedeco.openblas.global.openblas_full.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_full.CblasNonUnit;
import static org.bytedeco.openblas.global.openblas_full.CblasRight;
import static org.bytedeco.openblas.global.openblas_full.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas_full.CblasTrans;
import static org.bytedeco.openblas.global.openblas_full.CblasUpper;
import static org.bytedeco.openblas.global.openblas_full.LAPACKE_spotrf_work;
import static org.bytedeco.openblas.global.openblas_full.LAPACKE_spotri_work;
import static org.bytedeco.openblas.global.openblas_full.LAPACK_COL_MAJOR;
import static org.bytedeco.openblas.global.openblas_full.cblas_sgemm;
import static org.bytedeco.openblas.global.openblas_full.cblas_sgemv;
import static org.bytedeco.openblas.global.openblas_full.cblas_ssyrk;
import static org.bytedeco.openblas.global.openblas_full.cblas_strsm;
import static org.bytedeco.openblas.global.openblas_full.cblas_strsv;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_full;

/** Do linear algebra by OpenBLAS, reading Arrow memory in place, on one BLAS thread. */
public final class OpenBlas implements LinearAlgebra {
  private final String name;

  private OpenBlas(String name) {
    this.name = name;
  }

  /**
   * Load the native library.
   *
   * @throws LinkageError if this machine has none
   */
  public static OpenBlas load() {
    NativeLibrary.load();
    // Tiles are spread over the run's threads; BLAS threads of its own would only get in their way
    // and make the bits depend on their number.
    openblas_full.openblas_set_num_threads(1);
    String version = openblas_full.openblas_get_config().getString().split(" ")[1];
    String core = openblas_full.openblas_get_corename().getString();
    return new OpenBlas("OpenBLAS " + version + " (" + core + ")");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Caller caller() {
    return new NativeCaller();
  }

  private static final class NativeCaller implements Caller {
    private final MovablePointer first = new MovablePointer();
    private final MovablePointer second = new MovablePointer();
    private final MovablePointer third = new MovablePointer();

    @Override
    public void multiply(
        boolean transposeA,
        boolean transposeB,
        int rows,
        int columns,
        int inner,
        float alpha,
        long a,
        int aStride,
        long b,
        int bStride,
        float beta,
        long c,
        int cStride) {
      cblas_sgemm(
          CblasRowMajor,
          transposeA ? CblasTrans : CblasNoTrans,
          transposeB ? CblasTrans : CblasNoTrans,
          rows,
          columns,
          inner,
          alpha,
          first.at(a),
          aStride,
          second.at(b),
          bStride,
          beta,
          third.at(c),
          cStride);
    }

    @Override
    public void addOuterProducts(int order, int rows, float scale, long p, long c) {
      cblas_ssyrk(
          CblasRowMajor,
          CblasUpper,
          CblasTrans,
          order,
          rows,
          scale,
          first.at(p),
          order,
          1f,
          second.at(c),
          order);
    }

    @Override
    public void innerProducts(int rows, int columns, long p, long c) {
      cblas_ssyrk(
          CblasRowMajor,
          CblasUpper,
          CblasNoTrans,
          rows,
          columns,
          1f,
          first.at(p),
          columns,
          0f,
          second.at(c),
          rows);
    }

    @Override
    public void addRows(int rows, int columns, float scale, long p, long x, int stride, long y) {
      cblas_sgemv(
          CblasRowMajor,
          CblasTrans,
          rows,
          columns,
          scale,
          first.at(p),
          columns,
          second.at(x),
          stride,
          1f,
          third.at(y),
          1);
    }

    @Override
    public void project(int rows, int columns, long p, long x, long y) {
      cblas_sgemv(
          CblasRowMajor,
          CblasNoTrans,
          rows,
          columns,
          1f,
          first.at(p),
          columns,
          second.at(x),
          1,
          0f,
          third.at(y),
          1);
    }

    @Override
    public boolean factorise(int order, long a) {
      // The upper triangle by rows is the lower triangle by columns.
      return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, (byte) 'L', order, first.at(a), order) == 0;
    }

    @Override
    public void substitute(boolean transposed, int order, long u, int rows, long b) {
      if (rows == 1) {
        cblas_strsv(
            CblasRowMajor,
            CblasUpper,
            transposed ? CblasTrans : CblasNoTrans,
            CblasNonUnit,
            order,
            first.at(u),
            order,
            second.at(b),
            1);
      } else {
        // U' x = b for a column is x' U = b' for a row.
        cblas_strsm(
            CblasRowMajor,
            CblasRight,
            CblasUpper,
            transposed ? CblasNoTrans : CblasTrans,
            CblasNonUnit,
            rows,
            order,
            1f,
            first.at(u),
            order,
            second.at(b),
            order);
      }
    }

    @Override
    public boolean invert(int order, long a) {
      return factorise(order, a)
          && LAPACKE_spotri_work(LAPACK_COL_MAJOR, (byte) 'L', order, first.at(a), order) == 0;
    }
  }

  /** A pointer that is moved instead of allocated for every call. */
  private static final class MovablePointer extends FloatPointer {
    MovablePointer() {
      super((Pointer) null);
    }

    MovablePointer at(long target) {
      address = target;
      return this;
    }
  }
}
