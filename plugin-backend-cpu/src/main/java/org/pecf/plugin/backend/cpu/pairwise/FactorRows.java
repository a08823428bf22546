package org.pecf.plugin.backend.cpu.pairwise;

import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.algebra.OffHeapFloats;

/**
 * The rows of a matrix on the heap.
 *
 * <p>Each row is an array of its own: the compiler then knows that a step's three rows are
 * different memory, or the same from the first element on, and vectorises the update, which it does
 * not for rows of one large array.
 */
final class FactorRows {
  private FactorRows() {}

  /** Allocate rows. */
  static float[][] allocate(int rows, int columns) {
    return new float[rows][columns];
  }

  /** Return the bytes that rows take, headers included. */
  static long bytes(int rows, int columns) {
    return rows * (24L + (long) columns * Float.BYTES);
  }

  /**
   * Copy rows from a matrix.
   *
   * @param rows Modified.
   */
  static void read(FloatMatrix matrix, float[][] rows, int from, int to) {
    OffHeapFloats source = OffHeapFloats.borrow(matrix);
    int columns = matrix.columns();
    for (int row = from; row < to; row++) {
      source.read((long) row * columns, rows[row], 0, columns);
    }
  }

  /**
   * Copy rows to a matrix.
   *
   * @param matrix Modified.
   * @param rows Not modified.
   */
  static void write(FloatMatrix matrix, float[][] rows, int from, int to) {
    OffHeapFloats target = OffHeapFloats.borrow(matrix.writable());
    int columns = matrix.columns();
    for (int row = from; row < to; row++) {
      target.write((long) row * columns, rows[row], 0, columns);
    }
  }
}
