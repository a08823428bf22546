package org.pecf.backend.cpu.leastsquares;

import java.util.Arrays;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.Side;
import org.pecf.backend.cpu.algebra.NativeFloats;
import org.pecf.backend.cpu.algebra.Worker;

/** Solve the normal equations of one row. */
final class RowSolver {
  private RowSolver() {}

  /** Write the matrix of a row's equations, upper triangle by rows. */
  interface Assembly {
    void into(NativeFloats matrix);
  }

  /**
   * Solve {@code A x = b}: in single precision, and where that finds A not positive definite, in
   * double precision.
   *
   * @param lambda the row's penalty; zero for a row without weight, whose solution is zero
   * @param assembly writes A; called once more if single precision does not do
   * @param right b. Not modified.
   * @param solution receives x. Modified.
   * @return {@code b . x}
   */
  static double solve(
      Worker worker,
      Side side,
      int row,
      int order,
      double lambda,
      Assembly assembly,
      float[] right,
      float[] solution) {
    if (lambda == 0) {
      Arrays.fill(solution, 0, order, 0);
      return 0;
    }
    NativeFloats matrix = worker.offHeap("solver.matrix", (long) order * order);
    NativeFloats vector = worker.offHeap("solver.vector", order);
    assembly.into(matrix);
    vector.write(0, right, 0, order);
    boolean solved = worker.algebra().solve(order, matrix.address(0), vector.address(0));
    if (solved) {
      vector.read(0, solution, 0, order);
    } else {
      assembly.into(matrix);
      solved = solveInDouble(order, matrix, right, solution);
    }
    double product = 0;
    for (int k = 0; k < order; k++) {
      product += (double) right[k] * solution[k];
    }
    if (!solved || !Double.isFinite(product)) {
      throw new PecfException(
          ErrorCode.BAD_OPTION,
          "the equations of "
              + (side == Side.USERS ? "user " : "item ")
              + row
              + " have no stable solution: the penalty is too small for these weights. Raise"
              + " --lambda.");
    }
    return product;
  }

  private static boolean solveInDouble(
      int order, NativeFloats matrix, float[] right, float[] solution) {
    double[][] factor = new double[order][order];
    for (int i = 0; i < order; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = matrix.get((long) j * order + i);
        for (int k = 0; k < j; k++) {
          sum -= factor[i][k] * factor[j][k];
        }
        if (i > j) {
          factor[i][j] = sum / factor[j][j];
        } else if (sum > 0) {
          factor[i][i] = Math.sqrt(sum);
        } else {
          return false;
        }
      }
    }
    double[] x = new double[order];
    for (int i = 0; i < order; i++) {
      double sum = right[i];
      for (int k = 0; k < i; k++) {
        sum -= factor[i][k] * x[k];
      }
      x[i] = sum / factor[i][i];
    }
    for (int i = order - 1; i >= 0; i--) {
      double sum = x[i];
      for (int k = i + 1; k < order; k++) {
        sum -= factor[k][i] * x[k];
      }
      x[i] = sum / factor[i][i];
      solution[i] = (float) x[i];
    }
    return true;
  }
}
