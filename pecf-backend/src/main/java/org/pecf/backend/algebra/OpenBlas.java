package org.pecf.backend.algebra;

import static org.bytedeco.openblas.global.openblas_full.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_full.CblasNonUnit;
import static org.bytedeco.openblas.global.openblas_full.CblasRight;
import static org.bytedeco.openblas.global.openblas_full.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas_full.CblasTrans;
import static org.bytedeco.openblas.global.openblas_full.CblasUpper;
import static org.bytedeco.openblas.global.openblas_full.LAPACK_spotrf_base;
import static org.bytedeco.openblas.global.openblas_full.LAPACK_spotri_base;
import static org.bytedeco.openblas.global.openblas_full.LAPACK_ssyevd_base;
import static org.bytedeco.openblas.global.openblas_full.cblas_sgemm;
import static org.bytedeco.openblas.global.openblas_full.cblas_sgemv;
import static org.bytedeco.openblas.global.openblas_full.cblas_ssyrk;
import static org.bytedeco.openblas.global.openblas_full.cblas_strsm;
import static org.bytedeco.openblas.global.openblas_full.cblas_strsv;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_full;

/**
 * Linear algebra by OpenBLAS, on Arrow memory in place, on one BLAS thread.
 *
 * <p>Factorisations go to the entry points of LAPACK itself: where another library of the process
 * has loaded the system's OpenBLAS, that one serves both, and some systems build it without the C
 * interface LAPACKE.
 */
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
    // Tiles are spread over the run's threads. BLAS threads would compete with them and make the
    // bits depend on their number.
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
    private final BytePointer lower = new BytePointer("L");
    private final BytePointer withVectors = new BytePointer("V");
    private final IntPointer orders = new IntPointer(1);
    private final IntPointer failure = new IntPointer(1);

    @Override
    public void multiply(float alpha, MatrixSlice a, MatrixSlice b, float beta, MatrixSlice c) {
      cblas_sgemm(
          CblasRowMajor,
          a.transposed() ? CblasTrans : CblasNoTrans,
          b.transposed() ? CblasTrans : CblasNoTrans,
          c.rows(),
          c.columns(),
          a.columns(),
          alpha,
          first.at(a.floats()),
          a.stride(),
          second.at(b.floats()),
          b.stride(),
          beta,
          third.at(c.floats()),
          c.stride());
    }

    @Override
    public void addOuterProducts(float scale, MatrixSlice p, FloatSlice c) {
      cblas_ssyrk(
          CblasRowMajor,
          CblasUpper,
          CblasTrans,
          p.columns(),
          p.rows(),
          scale,
          first.at(p.floats()),
          p.columns(),
          1f,
          second.at(c),
          p.columns());
    }

    @Override
    public void innerProducts(MatrixSlice p, FloatSlice c) {
      cblas_ssyrk(
          CblasRowMajor,
          CblasUpper,
          CblasNoTrans,
          p.rows(),
          p.columns(),
          1f,
          first.at(p.floats()),
          p.columns(),
          0f,
          second.at(c),
          p.rows());
    }

    @Override
    public void addRows(float scale, MatrixSlice p, FloatSlice x, int stride, FloatSlice y) {
      cblas_sgemv(
          CblasRowMajor,
          CblasTrans,
          p.rows(),
          p.columns(),
          scale,
          first.at(p.floats()),
          p.columns(),
          second.at(x),
          stride,
          1f,
          third.at(y),
          1);
    }

    @Override
    public void project(MatrixSlice p, FloatSlice x, FloatSlice y) {
      cblas_sgemv(
          CblasRowMajor,
          CblasNoTrans,
          p.rows(),
          p.columns(),
          1f,
          first.at(p.floats()),
          p.columns(),
          second.at(x),
          1,
          0f,
          third.at(y),
          1);
    }

    @Override
    public boolean factorise(int order, FloatSlice a) {
      // The upper triangle by rows is the lower triangle by columns.
      orders.put(order);
      LAPACK_spotrf_base(lower, orders, first.at(a), orders, failure, 1);
      return failure.get() == 0;
    }

    @Override
    public void substitute(boolean transposed, FloatSlice u, MatrixSlice b) {
      int order = b.columns();
      if (b.rows() == 1) {
        cblas_strsv(
            CblasRowMajor,
            CblasUpper,
            transposed ? CblasTrans : CblasNoTrans,
            CblasNonUnit,
            order,
            first.at(u),
            order,
            second.at(b.floats()),
            1);
      } else {
        // U' x = b for a column is x' U = b' for a row.
        cblas_strsm(
            CblasRowMajor,
            CblasRight,
            CblasUpper,
            transposed ? CblasNoTrans : CblasTrans,
            CblasNonUnit,
            b.rows(),
            order,
            1f,
            first.at(u),
            order,
            second.at(b.floats()),
            order);
      }
    }

    @Override
    public boolean diagonalise(FloatSlice a, float[] values) {
      // Eigenvectors in columns, by columns, are those in rows by rows.
      int order = values.length;
      if (!isFinite(order, a)) {
        // The routine would return numbers all the same.
        return false;
      }
      try (FloatPointer found = new FloatPointer(order);
          FloatPointer floats = new FloatPointer(1);
          IntPointer integers = new IntPointer(1)) {
        diagonalise(order, a, found, floats, -1, integers, -1);
        int floatCount = (int) floats.get();
        int integerCount = integers.get();
        try (FloatPointer work = new FloatPointer(floatCount);
            IntPointer indexes = new IntPointer(integerCount)) {
          diagonalise(order, a, found, work, floatCount, indexes, integerCount);
        }
        found.get(values);
        return failure.get() == 0;
      }
    }

    /** Return whether all elements of an upper triangle are numbers. */
    private static boolean isFinite(int order, FloatSlice a) {
      boolean finite = true;
      for (int row = 0; row < order; row++) {
        for (int column = row; column < order; column++) {
          finite &= Float.isFinite(a.get((long) row * order + column));
        }
      }
      return finite;
    }

    /** Diagonalise, or find how much memory that takes if the counts are negative. */
    private void diagonalise(
        int order,
        FloatSlice a,
        FloatPointer found,
        FloatPointer work,
        int floatCount,
        IntPointer indexes,
        int integerCount) {
      try (IntPointer floats = new IntPointer(1).put(floatCount);
          IntPointer integers = new IntPointer(1).put(integerCount)) {
        orders.put(order);
        LAPACK_ssyevd_base(
            withVectors,
            lower,
            orders,
            first.at(a),
            orders,
            found,
            work,
            floats,
            indexes,
            integers,
            failure,
            1,
            1);
      }
    }

    @Override
    public boolean invert(int order, FloatSlice a) {
      if (!factorise(order, a)) {
        return false;
      }
      LAPACK_spotri_base(lower, orders, first.at(a), orders, failure, 1);
      return failure.get() == 0;
    }
  }

  /** A pointer that is moved instead of allocated for every call. */
  private static final class MovablePointer extends FloatPointer {
    MovablePointer() {
      super((Pointer) null);
    }

    MovablePointer at(FloatSlice target) {
      address = target.address();
      return this;
    }
  }
}
