package org.pecf.plugin.backend.cpu;

import org.pecf.api.PecfException;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.Worker;

/**
 * The kernels of dense matrices.
 *
 * <p>An inversion is one library call on one thread, so that its bits do not depend on the number
 * of threads; it cannot be cancelled while it runs.
 *
 * @param parallelism the threads
 * @param cancellation polled before and after a library call
 * @param workers one per thread
 */
public record CpuMatrixKernels(Parallelism parallelism, Cancellation cancellation, Worker[] workers)
    implements MatrixKernels {
  /** The side of the tiles in which a triangle is mirrored: two of them fit the fastest cache. */
  private static final int TILE = 64;

  /** The rows of a product that make one task. */
  private static final int ROWS = 512;

  @Override
  public void invert(FloatMatrix matrix) {
    int order = matrix.rows();
    if (matrix.columns() != order) {
      throw new IllegalArgumentException(
          "a matrix of " + order + " x " + matrix.columns() + " has no inverse");
    }
    cancellation.check();
    boolean inverted =
        workers[0].algebra().invert(order, FloatSlice.rows(matrix.writable(), 0, order));
    cancellation.check();
    // Not every library reports NaN; the diagonal shows it.
    for (int k = 0; inverted && k < order; k++) {
      float element = matrix.get(k, k);
      inverted = element > 0 && element < Float.POSITIVE_INFINITY;
    }
    if (!inverted) {
      throw PecfException.badOption(
          "A matrix of order %s is not positive definite in single precision. Raise the penalty.",
          order);
    }
    parallelism.forEach((order + TILE - 1) / TILE, (index, worker) -> mirror(matrix, index * TILE));
  }

  @Override
  public void multiply(FloatMatrix left, FloatMatrix right, FloatMatrix product) {
    if (left.columns() != right.rows()
        || left.rows() != product.rows()
        || right.columns() != product.columns()) {
      throw new IllegalArgumentException("matrices of these orders have no product");
    }
    parallelism.forEach(
        (left.rows() + ROWS - 1) / ROWS,
        (strip, worker) -> {
          int first = strip * ROWS;
          int rows = Math.min(ROWS, left.rows() - first);
          workers[worker]
              .algebra()
              .multiply(
                  1,
                  MatrixSlice.rows(left, first, rows),
                  MatrixSlice.of(right),
                  0,
                  MatrixSlice.rows(product.writable(), first, rows));
        });
  }

  /** Copy the upper triangle into the lower one, for a strip of rows. */
  private static void mirror(FloatMatrix matrix, int firstRow) {
    int order = matrix.rows();
    int endRow = Math.min(order, firstRow + TILE);
    FloatSlice all = FloatSlice.rows(matrix, 0, order);
    for (int firstColumn = 0; firstColumn < endRow; firstColumn += TILE) {
      for (int row = firstRow; row < endRow; row++) {
        int endColumn = Math.min(row, firstColumn + TILE);
        for (int column = firstColumn; column < endColumn; column++) {
          all.setBits((long) row * order + column, all.bits((long) column * order + row));
        }
      }
    }
  }
}
