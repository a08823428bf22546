package org.pecf.backend.leastsquares;

import java.util.Optional;

/**
 * The eigenvectors of a symmetric matrix and their eigenvalues, in no particular order.
 *
 * @param values the eigenvalues
 * @param vectors the eigenvectors, one a row, each of length one
 */
public record Eigenvectors(double[] values, double[][] vectors) {
  /** The most passes for one eigenvalue: three are usual. */
  private static final int MOST_PASSES = 60;

  /**
   * Find the eigenvectors, by reflections to a tridiagonal matrix and rotations of that.
   *
   * @param matrix the matrix, of which both triangles are read. Modified.
   * @return nothing if the matrix is not finite
   */
  public static Optional<Eigenvectors> of(double[][] matrix) {
    int order = matrix.length;
    double[][] vectors = new double[order][order];
    for (int k = 0; k < order; k++) {
      vectors[k][k] = 1;
    }
    for (int k = 0; k + 2 < order; k++) {
      reflect(matrix, k, vectors);
    }
    double[] values = new double[order];
    double[] beside = new double[order];
    for (int k = 0; k < order; k++) {
      values[k] = matrix[k][k];
      beside[k] = k + 1 < order ? matrix[k + 1][k] : 0;
    }
    for (int k = 0; k < order; k++) {
      if (!isolate(values, beside, k, vectors)) {
        return Optional.empty();
      }
    }
    return Optional.of(new Eigenvectors(values, vectors));
  }

  /** Clear a column below the element under the diagonal, and the row likewise: {@code H A H}. */
  private static void reflect(double[][] matrix, int column, double[][] vectors) {
    int order = matrix.length;
    double[] mirror = new double[order];
    double squares = 0;
    for (int i = column + 1; i < order; i++) {
      mirror[i] = matrix[i][column];
      squares += mirror[i] * mirror[i];
    }
    double length = Math.sqrt(squares);
    if (length == 0) {
      return;
    }
    mirror[column + 1] += Math.copySign(length, mirror[column + 1]);
    double norm = 0;
    for (int i = column + 1; i < order; i++) {
      norm += mirror[i] * mirror[i];
    }
    double[] image = new double[order];
    double overlap = 0;
    for (int i = column; i < order; i++) {
      double[] row = matrix[i];
      double sum = 0;
      for (int j = column + 1; j < order; j++) {
        sum += row[j] * mirror[j];
      }
      image[i] = 2 * sum / norm;
      overlap += image[i] * mirror[i];
    }
    for (int i = column; i < order; i++) {
      image[i] -= overlap / norm * mirror[i];
    }
    for (int i = column; i < order; i++) {
      subtract(matrix[i], mirror[i], image, column);
      subtract(matrix[i], image[i], mirror, column);
    }
    double[] products = new double[order];
    for (int i = column + 1; i < order; i++) {
      subtract(products, -2 * mirror[i] / norm, vectors[i], 0);
    }
    for (int i = column + 1; i < order; i++) {
      subtract(vectors[i], mirror[i], products, 0);
    }
  }

  private static void subtract(double[] target, double factor, double[] values, int from) {
    for (int k = from; k < target.length; k++) {
      target[k] -= factor * values[k];
    }
  }

  /** Rotate until an eigenvalue stands alone; return whether that succeeded. */
  private static boolean isolate(double[] values, double[] beside, int at, double[][] vectors) {
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      int end = at;
      while (end + 1 < values.length
          && Math.abs(beside[end])
              > Math.ulp(1.0) * (Math.abs(values[end]) + Math.abs(values[end + 1]))) {
        end++;
      }
      if (end == at) {
        return !Double.isNaN(values[at]) && !Double.isNaN(beside[at]);
      }
      rotate(values, beside, at, end, vectors);
    }
    return false;
  }

  /** Go up a block once, by rotations that the eigenvalue nearest to its first element chooses. */
  private static void rotate(
      double[] values, double[] beside, int begin, int end, double[][] vectors) {
    double half = (values[begin + 1] - values[begin]) / (2 * beside[begin]);
    double shift =
        values[begin] - beside[begin] / (half + Math.copySign(Math.hypot(half, 1), half));
    double bulge = values[end] - shift;
    double sine = 1;
    double cosine = 1;
    double carried = 0;
    for (int i = end - 1; i >= begin; i--) {
      double outside = sine * beside[i];
      double inside = cosine * beside[i];
      double length = Math.hypot(outside, bulge);
      beside[i + 1] = length;
      if (length == 0) {
        values[i + 1] -= carried;
        beside[end] = 0;
        return;
      }
      sine = outside / length;
      cosine = bulge / length;
      double reduced = values[i + 1] - carried;
      double turned = (values[i] - reduced) * sine + 2 * cosine * inside;
      carried = sine * turned;
      values[i + 1] = reduced + carried;
      bulge = cosine * turned - inside;
      turn(vectors[i], vectors[i + 1], cosine, sine);
    }
    values[begin] -= carried;
    beside[begin] = bulge;
    beside[end] = 0;
  }

  private static void turn(double[] upper, double[] lower, double cosine, double sine) {
    for (int k = 0; k < upper.length; k++) {
      double before = lower[k];
      lower[k] = sine * upper[k] + cosine * before;
      upper[k] = cosine * upper[k] - sine * before;
    }
  }
}
