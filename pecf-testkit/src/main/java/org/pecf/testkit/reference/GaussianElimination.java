package org.pecf.testkit.reference;

/** Elimination with partial pivoting, for small dense systems. */
final class GaussianElimination {
  private GaussianElimination() {}

  /**
   * Return x of {@code matrix x = right}.
   *
   * @param matrix square and regular. Modified.
   * @param right as many elements. Modified.
   */
  static double[] solve(double[][] matrix, double[] right) {
    int size = right.length;
    for (int pivot = 0; pivot < size; pivot++) {
      int largest = pivot;
      for (int row = pivot + 1; row < size; row++) {
        if (Math.abs(matrix[row][pivot]) > Math.abs(matrix[largest][pivot])) {
          largest = row;
        }
      }
      double[] swappedRow = matrix[pivot];
      matrix[pivot] = matrix[largest];
      matrix[largest] = swappedRow;
      double swapped = right[pivot];
      right[pivot] = right[largest];
      right[largest] = swapped;
      for (int row = pivot + 1; row < size; row++) {
        double multiple = matrix[row][pivot] / matrix[pivot][pivot];
        for (int column = pivot; column < size; column++) {
          matrix[row][column] -= multiple * matrix[pivot][column];
        }
        right[row] -= multiple * right[pivot];
      }
    }
    double[] solution = new double[size];
    for (int row = size - 1; row >= 0; row--) {
      double rest = right[row];
      for (int column = row + 1; column < size; column++) {
        rest -= matrix[row][column] * solution[column];
      }
      solution[row] = rest / matrix[row][row];
    }
    return solution;
  }
}
