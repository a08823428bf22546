package org.pecf.backend.leastsquares;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;

/**
 * The background's equations {@code b V'V} and the coordinates in which they are diagonal, on the
 * heap: found once and sent to wherever rows are solved.
 */
public final class EquationBasis implements Serializable {
  private static final long serialVersionUID = 1;

  /** The multiple to which whitened rows are padded, for faster products. */
  private static final int PADDING = 4;

  private final int rank;
  private final double meanPenalty;

  /** {@code b V'V} by rows, of which the upper triangle is valid. */
  private final float[] matrix;

  /** The eigenvectors of the matrix, one a row, times the roots of the scales; or empty. */
  private final float[] vectors;

  /** The eigenvalues of the matrix, padded with zeros. */
  private final float[] eigenvalues;

  /** The inverses of the eigenvalues plus half the mean penalty, padded with ones. */
  private final float[] scales;

  private EquationBasis(
      int rank,
      double meanPenalty,
      float[] matrix,
      float[] vectors,
      float[] eigenvalues,
      float[] scales) {
    this.rank = rank;
    this.meanPenalty = meanPenalty;
    this.matrix = matrix;
    this.vectors = vectors;
    this.eigenvalues = eigenvalues;
    this.scales = scales;
  }

  /**
   * Find the coordinates. There are none for a low rank, where rows are solved as they are.
   *
   * @param triangle the triangle of V'V, see {@link Gramians}. Not modified.
   * @param weight the background's weight b
   * @param meanPenalty the mean of the rows' penalties, for the scale of coordinates
   */
  public static EquationBasis of(
      BufferAllocator allocator,
      Worker worker,
      int rank,
      double[] triangle,
      double weight,
      double meanPenalty) {
    float[] matrix = new float[rank * rank];
    for (int row = 0, at = 0; row < rank; row++) {
      for (int column = row; column < rank; column++) {
        matrix[row * rank + column] = (float) (weight * triangle[at++]);
      }
    }
    int width = (rank + PADDING - 1) / PADDING * PADDING;
    float[] eigenvalues = new float[width];
    float[] scales = new float[width];
    Arrays.fill(scales, 1);
    float[] vectors = {};
    if (weight > 0 && SolverChoice.whitens(rank)) {
      float[] found = new float[rank];
      vectors = diagonalise(allocator, worker, matrix, found);
      for (int k = 0; k < rank && vectors.length > 0; k++) {
        // A Gramian has no negative eigenvalues but by rounding.
        eigenvalues[k] = Math.max(0, found[k]);
        double scale = 1 / (eigenvalues[k] + meanPenalty / 2);
        scales[k] = (float) scale;
        float root = (float) Math.sqrt(scale);
        for (int c = 0; c < rank; c++) {
          vectors[k * rank + c] *= root;
        }
      }
    }
    return new EquationBasis(rank, meanPenalty, matrix, vectors, eigenvalues, scales);
  }

  /** Return the eigenvectors, one a row, or nothing if they are not found. */
  private static float[] diagonalise(
      BufferAllocator allocator, Worker worker, float[] matrix, float[] found) {
    try (OffHeapFloats memory = OffHeapFloats.allocate(allocator, matrix.length)) {
      memory.write(0, matrix, 0, matrix.length);
      FloatSlice square = memory.slice(0, matrix.length);
      if (!worker.algebra().diagonalise(square, found)) {
        return new float[0];
      }
      float[] vectors = new float[matrix.length];
      memory.read(0, vectors, 0, vectors.length);
      return vectors;
    }
  }

  /** Return the number of factors. */
  public int rank() {
    return rank;
  }

  /** Return whether there are coordinates in which the equations are diagonal. */
  public boolean whitens() {
    return vectors.length > 0;
  }

  /** Return the floats that a row of the other side takes in these coordinates. */
  public int width() {
    return whitens() ? scales.length : rank;
  }

  double meanPenalty() {
    return meanPenalty;
  }

  float[] matrix() {
    return matrix;
  }

  float[] vectors() {
    return vectors;
  }

  float[] eigenvalues() {
    return eigenvalues;
  }

  float[] scales() {
    return scales;
  }
}
