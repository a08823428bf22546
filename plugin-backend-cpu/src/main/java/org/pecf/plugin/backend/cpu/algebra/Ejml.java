package org.pecf.plugin.backend.cpu.algebra;

import org.apache.arrow.memory.util.MemoryUtil;
import org.ejml.data.FMatrixRMaj;
import org.ejml.dense.row.CommonOps_FDRM;
import org.ejml.dense.row.factory.DecompositionFactory_FDRM;
import org.ejml.dense.row.factory.LinearSolverFactory_FDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F32;
import org.ejml.interfaces.linsol.LinearSolverDense;
import org.pecf.api.PecfException;

/**
 * Do linear algebra by EJML, in Java alone: for machines without the native library, and to check
 * it.
 *
 * <p>EJML works on heap arrays, so operands are copied in and results out.
 */
public final class Ejml implements LinearAlgebra {
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
      read(left, transposeA ? inner : rows, transposeA ? rows : inner, a, aStride);
      read(right, transposeB ? columns : inner, transposeB ? inner : columns, b, bStride);
      if (beta == 0) {
        result.reshape(rows, columns);
        result.zero();
      } else {
        read(result, rows, columns, c, cStride);
        CommonOps_FDRM.scale(beta, result);
      }
      if (transposeA && transposeB) {
        CommonOps_FDRM.multAddTransAB(alpha, left, right, result);
      } else if (transposeA) {
        CommonOps_FDRM.multAddTransA(alpha, left, right, result);
      } else if (transposeB) {
        CommonOps_FDRM.multAddTransB(alpha, left, right, result);
      } else {
        CommonOps_FDRM.multAdd(alpha, left, right, result);
      }
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
          write(c, (long) row * cStride + column, result.data[row * columns + column]);
        }
      }
    }

    @Override
    public void addOuterProducts(int order, int rows, float scale, long p, long c) {
      multiply(true, false, order, order, rows, scale, p, order, p, order, 1, c, order);
    }

    @Override
    public void innerProducts(int rows, int columns, long p, long c) {
      multiply(false, true, rows, rows, columns, 1, p, columns, p, columns, 0, c, rows);
    }

    @Override
    public void addRows(int rows, int columns, float scale, long p, long x, int stride, long y) {
      multiply(true, false, columns, 1, rows, scale, p, columns, x, stride, 1, y, 1);
    }

    @Override
    public void project(int rows, int columns, long p, long x, long y) {
      multiply(false, false, rows, 1, columns, 1, p, columns, x, 1, 0, y, 1);
    }

    @Override
    public boolean factorise(int order, long a) {
      readSymmetric(order, a);
      CholeskyDecomposition_F32<FMatrixRMaj> cholesky = DecompositionFactory_FDRM.chol(order, true);
      if (!cholesky.decompose(left)) {
        return false;
      }
      FMatrixRMaj lower = cholesky.getT(null);
      for (int row = 0; row < order; row++) {
        for (int column = row; column < order; column++) {
          write(a, (long) row * order + column, lower.data[column * order + row]);
        }
      }
      return true;
    }

    @Override
    public void substitute(boolean transposed, int order, long u, int rows, long b) {
      read(left, order, order, u, order);
      read(right, rows, order, b, order);
      for (int row = 0; row < rows; row++) {
        substitute(transposed, order, left.data, right.data, row * order);
        for (int k = 0; k < order; k++) {
          write(b, (long) row * order + k, right.data[row * order + k]);
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
    public boolean invert(int order, long a) {
      if ((long) order * order > Integer.MAX_VALUE) {
        throw PecfException.resources(
            "A matrix of order %s is too large for EJML, which holds up to 46340. Use the OpenBLAS"
                + " library.",
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
        write(a, index, inverse.data[index]);
      }
      // A large operand must not stay behind.
      left.setData(new float[1]);
      left.reshape(1, 1);
      return true;
    }

    /** Read a symmetric matrix from its upper triangle into the left operand. */
    private void readSymmetric(int order, long a) {
      read(left, order, order, a, order);
      for (int row = 0; row < order; row++) {
        for (int column = 0; column < row; column++) {
          left.data[row * order + column] = left.data[column * order + row];
        }
      }
    }

    private static void read(FMatrixRMaj target, int rows, int columns, long address, int stride) {
      target.reshape(rows, columns);
      for (int row = 0; row < rows; row++) {
        long start = address + (long) row * stride * Float.BYTES;
        for (int column = 0; column < columns; column++) {
          target.data[row * columns + column] =
              Float.intBitsToFloat(MemoryUtil.getInt(start + (long) column * Float.BYTES));
        }
      }
    }

    private static void write(long address, long index, float value) {
      MemoryUtil.putInt(address + index * Float.BYTES, Float.floatToRawIntBits(value));
    }
  }
}
