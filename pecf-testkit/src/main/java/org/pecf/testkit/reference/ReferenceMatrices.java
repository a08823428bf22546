package org.pecf.testkit.reference;

import org.pecf.api.PecfException;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.run.Cancellation;

/**
 * Matrix kernels by Gauss-Jordan elimination in double precision. Without exchanging rows, the
 * pivots of a symmetric matrix are all positive exactly if it is positive definite.
 */
record ReferenceMatrices(Cancellation cancellation) implements MatrixKernels {
  @Override
  public void invert(FloatMatrix matrix) {
    int order = matrix.rows();
    if (matrix.columns() != order) {
      throw new IllegalArgumentException(
          "a matrix of " + order + " x " + matrix.columns() + " has no inverse");
    }
    double[][] left = new double[order][order];
    double[][] right = new double[order][order];
    for (int row = 0; row < order; row++) {
      right[row][row] = 1;
      for (int column = 0; column < order; column++) {
        left[row][column] = matrix.get(Math.min(row, column), Math.max(row, column));
      }
    }
    for (int pivot = 0; pivot < order; pivot++) {
      cancellation.check();
      if (!(left[pivot][pivot] > 0)) {
        throw PecfException.badOption(
            "A matrix of order %s is not positive definite. Raise the penalty.", order);
      }
      eliminate(left, right, pivot);
    }
    for (int row = 0; row < order; row++) {
      for (int column = row; column < order; column++) {
        matrix.set(row, column, (float) right[row][column]);
        matrix.set(column, row, (float) right[row][column]);
      }
    }
  }

  private static void eliminate(double[][] left, double[][] right, int pivot) {
    int order = left.length;
    double divisor = left[pivot][pivot];
    for (int column = 0; column < order; column++) {
      left[pivot][column] /= divisor;
      right[pivot][column] /= divisor;
    }
    for (int row = 0; row < order; row++) {
      double multiple = left[row][pivot];
      if (row != pivot && multiple != 0) {
        for (int column = 0; column < order; column++) {
          left[row][column] -= multiple * left[pivot][column];
          right[row][column] -= multiple * right[pivot][column];
        }
      }
    }
  }

  @Override
  public void multiply(FloatMatrix left, FloatMatrix right, FloatMatrix product) {
    for (int row = 0; row < left.rows(); row++) {
      cancellation.check();
      for (int column = 0; column < right.columns(); column++) {
        double sum = 0;
        for (int k = 0; k < left.columns(); k++) {
          sum += (double) left.get(row, k) * right.get(k, column);
        }
        product.set(row, column, (float) sum);
      }
    }
  }
}
