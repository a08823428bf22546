package org.pecf.plugin.backend.cpu.leastsquares;

import org.pecf.api.PecfException;
import org.pecf.api.memory.Side;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;

/** Solve the normal equations of one row. */
final class RowSolver {
  private RowSolver() {}

  /** Write the equations of a row. */
  interface Assembly {
    /**
     * Write the matrix.
     *
     * @param matrix the address of its upper triangle by rows. Modified.
     */
    void into(long matrix);
  }

  /**
   * Solve {@code A x = b}: in single precision, and where that finds A not positive definite, in
   * double precision.
   *
   * @param assembly writes A; called once more if single precision does not do
   * @param vector the address of b, which is read after A was written; receives x. Modified.
   * @return {@code b . x}
   */
  static double solve(
      Worker worker, Side side, int row, int order, Assembly assembly, long vector) {
    long matrix = Pages.middle(worker.offHeap("solver.matrix", Pages.floats(order)));
    long saved = worker.offHeap("solver.vector", order).address(0);
    assembly.into(matrix);
    NativeFloats.copy(vector, saved, order);
    double product;
    if (worker.algebra().factorise(order, matrix)) {
      // With A = U' U and U' y = b, the product b . x is y . y.
      worker.algebra().substitute(true, order, matrix, 1, vector);
      product = squares(vector, order);
      worker.algebra().substitute(false, order, matrix, 1, vector);
    } else {
      assembly.into(matrix);
      product = solveInDouble(order, matrix, saved, vector);
    }
    if (!Double.isFinite(product)) {
      throw PecfException.badOption(
          "The equations of %s%s have no stable solution: the penalty is too small for these"
              + " weights. Raise --lambda.",
          (side == Side.USERS ? "user " : "item "), row);
    }
    return product;
  }

  private static double squares(long vector, int order) {
    double sum = 0;
    for (int k = 0; k < order; k++) {
      double x = NativeFloats.at(vector, k);
      sum += x * x;
    }
    return sum;
  }

  /** Solve in double precision; return NaN if the matrix is not positive definite. */
  private static double solveInDouble(int order, long matrix, long right, long solution) {
    double[][] factor = new double[order][order];
    for (int i = 0; i < order; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = NativeFloats.at(matrix, (long) j * order + i);
        for (int k = 0; k < j; k++) {
          sum -= factor[i][k] * factor[j][k];
        }
        if (i > j) {
          factor[i][j] = sum / factor[j][j];
        } else if (sum > 0) {
          factor[i][i] = Math.sqrt(sum);
        } else {
          return Double.NaN;
        }
      }
    }
    double product = 0;
    double[] x = new double[order];
    for (int i = 0; i < order; i++) {
      double sum = NativeFloats.at(right, i);
      for (int k = 0; k < i; k++) {
        sum -= factor[i][k] * x[k];
      }
      x[i] = sum / factor[i][i];
      product += x[i] * x[i];
    }
    for (int i = order - 1; i >= 0; i--) {
      double sum = x[i];
      for (int k = i + 1; k < order; k++) {
        sum -= factor[k][i] * x[k];
      }
      x[i] = sum / factor[i][i];
      NativeFloats.put(solution, i, (float) x[i]);
    }
    return product;
  }
}
