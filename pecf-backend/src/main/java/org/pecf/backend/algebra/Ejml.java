package org.pecf.backend.algebra;

import org.ejml.data.FMatrixRMaj;
import org.ejml.dense.row.CommonOps_FDRM;
import org.ejml.dense.row.factory.DecompositionFactory_FDRM;
import org.ejml.dense.row.factory.LinearSolverFactory_FDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F32;
import org.ejml.interfaces.decomposition.EigenDecomposition_F32;
import org.ejml.interfaces.linsol.LinearSolverDense;
import org.pecf.api.PecfException;

/**
 * Linear algebra by EJML, in pure Java: for machines without the native library, and to check it.
 *
 * <p>EJML works on heap arrays, so operands are copied in and results out.
 */
public final class Ejml implements LinearAlgebra {
  /** Create the library, which has no state. */
  public Ejml() {}

  @Override
  public String name() {
    return "EJML";
  }

  @Override
  public Caller caller() {
    return new HeapCaller();
  }

  private static final class HeapCaller implements Caller {
    private final FMatrixRMaj left = new FMatrixRMaj(1, 1);
    private final FMatrixRMaj right = new FMatrixRMaj(1, 1);
    private final FMatrixRMaj result = new FMatrixRMaj(1, 1);

    @Override
    public void multiply(float alpha, MatrixSlice a, MatrixSlice b, float beta, MatrixSlice c) {
      read(left, a);
      read(right, b);
      if (beta == 0) {
        result.reshape(c.rows(), c.columns());
        result.zero();
      } else {
        read(result, c);
        CommonOps_FDRM.scale(beta, result);
      }
      if (a.transposed() && b.transposed()) {
        CommonOps_FDRM.multAddTransAB(alpha, left, right, result);
      } else if (a.transposed()) {
        CommonOps_FDRM.multAddTransA(alpha, left, right, result);
      } else if (b.transposed()) {
        CommonOps_FDRM.multAddTransB(alpha, left, right, result);
      } else {
        CommonOps_FDRM.multAdd(alpha, left, right, result);
      }
      for (int row = 0; row < c.rows(); row++) {
        for (int column = 0; column < c.columns(); column++) {
          c.floats().set((long) row * c.stride() + column, result.data[row * c.columns() + column]);
        }
      }
    }

    @Override
    public void addOuterProducts(float scale, MatrixSlice p, FloatSlice c) {
      multiply(scale, p.transpose(), p, 1, MatrixSlice.of(c, p.columns(), p.columns()));
    }

    @Override
    public void innerProducts(MatrixSlice p, FloatSlice c) {
      multiply(1, p, p.transpose(), 0, MatrixSlice.of(c, p.rows(), p.rows()));
    }

    @Override
    public void addRows(float scale, MatrixSlice p, FloatSlice x, int stride, FloatSlice y) {
      multiply(
          scale,
          p.transpose(),
          MatrixSlice.of(x, p.rows(), 1, stride),
          1,
          MatrixSlice.of(y, p.columns(), 1));
    }

    @Override
    public void project(MatrixSlice p, FloatSlice x, FloatSlice y) {
      multiply(1, p, MatrixSlice.of(x, p.columns(), 1), 0, MatrixSlice.of(y, p.rows(), 1));
    }

    @Override
    public boolean factorise(int order, FloatSlice a) {
      readSymmetric(order, a);
      CholeskyDecomposition_F32<FMatrixRMaj> cholesky = DecompositionFactory_FDRM.chol(order, true);
      if (!cholesky.decompose(left)) {
        return false;
      }
      FMatrixRMaj lower = cholesky.getT(null);
      for (int row = 0; row < order; row++) {
        for (int column = row; column < order; column++) {
          a.set((long) row * order + column, lower.data[column * order + row]);
        }
      }
      return true;
    }

    @Override
    public void substitute(boolean transposed, FloatSlice u, MatrixSlice b) {
      int order = b.columns();
      read(left, MatrixSlice.of(u, order, order));
      read(right, b);
      for (int row = 0; row < b.rows(); row++) {
        substitute(transposed, order, left.data, right.data, row * order);
        for (int k = 0; k < order; k++) {
          b.floats().set((long) row * order + k, right.data[row * order + k]);
        }
      }
    }

    private static void substitute(
        boolean transposed, int order, float[] triangle, float[] x, int from) {
      for (int step = 0; step < order; step++) {
        int i = transposed ? step : order - 1 - step;
        float sum = x[from + i];
        for (int k = transposed ? 0 : i + 1; k < (transposed ? i : order); k++) {
          sum -= triangle[transposed ? k * order + i : i * order + k] * x[from + k];
        }
        x[from + i] = sum / triangle[i * order + i];
      }
    }

    @Override
    public boolean diagonalise(FloatSlice a, float[] values) {
      int order = values.length;
      readSymmetric(order, a);
      EigenDecomposition_F32<FMatrixRMaj> eigen = DecompositionFactory_FDRM.eig(order, true, true);
      if (!eigen.decompose(left)) {
        return false;
      }
      for (int row = 0; row < order; row++) {
        values[row] = eigen.getEigenvalue(row).getReal();
        float[] vector = eigen.getEigenVector(row).data;
        for (int column = 0; column < order; column++) {
          a.set((long) row * order + column, vector[column]);
        }
      }
      return true;
    }

    @Override
    public boolean invert(int order, FloatSlice a) {
      if ((long) order * order > Integer.MAX_VALUE) {
        throw PecfException.resources(
            "A matrix of order %s is too large for EJML, which holds up to order 46340. Use the"
                + " OpenBLAS library.",
            order);
      }
      readSymmetric(order, a);
      FMatrixRMaj inverse = new FMatrixRMaj(order, order);
      LinearSolverDense<FMatrixRMaj> solver = LinearSolverFactory_FDRM.chol(order);
      if (!solver.setA(left)) {
        return false;
      }
      solver.invert(inverse);
      for (int index = 0; index < order * order; index++) {
        a.set(index, inverse.data[index]);
      }
      // Do not hold on to a large operand.
      left.setData(new float[1]);
      left.reshape(1, 1);
      return true;
    }

    /** Read a symmetric matrix from its upper triangle into the left operand. */
    private void readSymmetric(int order, FloatSlice a) {
      read(left, MatrixSlice.of(a, order, order));
      for (int row = 0; row < order; row++) {
        for (int column = 0; column < row; column++) {
          left.data[row * order + column] = left.data[column * order + row];
        }
      }
    }

    /** Read a matrix as it is stored. */
    private static void read(FMatrixRMaj target, MatrixSlice source) {
      int rows = source.transposed() ? source.columns() : source.rows();
      int columns = source.transposed() ? source.rows() : source.columns();
      target.reshape(rows, columns);
      for (int row = 0; row < rows; row++) {
        long start = (long) row * source.stride();
        for (int column = 0; column < columns; column++) {
          target.data[row * columns + column] = source.floats().get(start + column);
        }
      }
    }
  }
}
