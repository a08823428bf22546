package org.pecf.backend.algebra;

import org.pecf.api.PecfException;
import org.pecf.api.memory.Side;

/** The solution of one row's equations in double precision, where single precision fails. */
public final class DoubleCholesky {
  private DoubleCholesky() {}

  /** A symmetric matrix. */
  @FunctionalInterface
  public interface Matrix {
    /** Return an element of the lower triangle. */
    double get(int row, int column);
  }

  /** A vector. */
  @FunctionalInterface
  public interface Vector {
    /** Return an element. */
    float get(int index);
  }

  /** A receiver of a vector. */
  @FunctionalInterface
  public interface Solution {
    /** Receive an element. */
    void set(int index, float value);
  }

  /**
   * Solve {@code A x = b} by Cholesky factorisation.
   *
   * @return {@code b . x}, or NaN if A is not positive definite
   */
  public static double solve(int order, Matrix matrix, Vector right, Solution solution) {
    double[][] factor = new double[order][order];
    for (int i = 0; i < order; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = matrix.get(i, j);
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
    // With A = L L' and L y = b, the product b . x is y . y.
    double product = 0;
    double[] x = new double[order];
    for (int i = 0; i < order; i++) {
      double sum = right.get(i);
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
      solution.set(i, (float) x[i]);
    }
    return product;
  }

  /** Return a row's product {@code b . x} if it is finite, else explain that it has no solution. */
  public static double checked(double product, Side side, int row) {
    if (!Double.isFinite(product)) {
      throw PecfException.badOption(
          "The equations of %s %d have no stable solution: the penalty is too small for these"
              + " weights. Raise lambda.",
          side == Side.USERS ? "user" : "item", row);
    }
    return product;
  }
}
