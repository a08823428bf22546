package org.pecf.engine.algebra;

/** A symmetric matrix in double precision, of which the lower triangle is kept, and its solver. */
public final class SymmetricMatrix {
  private final int order;
  private final double[] elements;

  /** Create a matrix of zeros. */
  public SymmetricMatrix(int order) {
    this.order = order;
    this.elements = new double[Math.multiplyExact(order, order)];
  }

  /** Return the elements, row after row; those above the diagonal have no meaning. */
  public double[] elements() {
    return elements;
  }

  /** Add a multiple of another matrix. */
  public void add(double factor, double[] other) {
    for (int k = 0; k < elements.length; k++) {
      elements[k] += factor * other[k];
    }
  }

  /** Add {@code weight x x'}. */
  public void addSquare(double weight, double[] x) {
    for (int i = 0; i < order; i++) {
      double factor = weight * x[i];
      int row = i * order;
      for (int j = 0; j <= i; j++) {
        elements[row + j] += factor * x[j];
      }
    }
  }

  /** Add a number to the diagonal. */
  public void addToDiagonal(double number) {
    for (int i = 0; i < order; i++) {
      elements[i * order + i] += number;
    }
  }

  /** Return the mean of the diagonal. */
  public double meanDiagonal() {
    double sum = 0;
    for (int i = 0; i < order; i++) {
      sum += elements[i * order + i];
    }
    return sum / order;
  }

  /**
   * Replace the matrix by its Cholesky factor.
   *
   * @return whether it is positive definite; if not, it is of no use any more
   */
  public boolean factorise() {
    for (int i = 0; i < order; i++) {
      int row = i * order;
      for (int j = 0; j <= i; j++) {
        int other = j * order;
        double sum = elements[row + j];
        for (int k = 0; k < j; k++) {
          sum -= elements[row + k] * elements[other + k];
        }
        if (j < i) {
          elements[row + j] = sum / elements[other + j];
        } else if (sum > 0 && sum < Double.POSITIVE_INFINITY) {
          elements[row + i] = Math.sqrt(sum);
        } else {
          return false;
        }
      }
    }
    return true;
  }

  /** Return x of {@code A x = b}, for a matrix that was factorised. */
  public double[] solve(double[] right) {
    double[] x = right.clone();
    for (int i = 0; i < order; i++) {
      double sum = x[i];
      for (int k = 0; k < i; k++) {
        sum -= elements[i * order + k] * x[k];
      }
      x[i] = sum / elements[i * order + i];
    }
    for (int i = order - 1; i >= 0; i--) {
      x[i] /= elements[i * order + i];
      for (int k = 0; k < i; k++) {
        x[k] -= elements[i * order + k] * x[i];
      }
    }
    return x;
  }
}
