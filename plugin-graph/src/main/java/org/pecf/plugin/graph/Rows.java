package org.pecf.plugin.graph;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.pecf.api.memory.FloatMatrix;

/**
 * A view of the rows of a matrix, for loops over many of them; valid until the matrix is closed.
 * Several threads may use it at once, each on rows of its own where it writes.
 */
final class Rows {
  /** The floats of a block at most: a buffer of the standard library is indexed by ints. */
  private static final int BLOCK = 1 << 28;

  private final FloatBuffer[] blocks;
  private final int rowsPerBlock;
  private final int columns;

  Rows(FloatMatrix matrix) {
    this.columns = matrix.columns();
    this.rowsPerBlock = Math.max(1, BLOCK / Math.max(1, columns));
    this.blocks = new FloatBuffer[(matrix.rows() + rowsPerBlock - 1) / rowsPerBlock];
    for (int block = 0; block < blocks.length; block++) {
      int first = block * rowsPerBlock;
      int rows = Math.min(rowsPerBlock, matrix.rows() - first);
      blocks[block] =
          matrix
              .buffer()
              .nioBuffer(
                  FloatMatrix.bytes(first, columns),
                  Math.toIntExact(FloatMatrix.bytes(rows, columns)))
              .order(ByteOrder.nativeOrder())
              .asFloatBuffer();
    }
  }

  /**
   * Copy the beginning of a row.
   *
   * @param target receives as many columns as it has elements. Modified.
   */
  void read(int row, float[] target) {
    blocks[row / rowsPerBlock].get(row % rowsPerBlock * columns, target);
  }

  /**
   * Replace the beginning of a row.
   *
   * @param source as many columns as it has elements. Not modified.
   */
  void write(int row, float[] source) {
    write(row, 0, source, source.length);
  }

  /**
   * Replace a part of a row.
   *
   * @param source holds the elements from index 0 on. Not modified.
   */
  void write(int row, int firstColumn, float[] source, int count) {
    blocks[row / rowsPerBlock].put(row % rowsPerBlock * columns + firstColumn, source, 0, count);
  }
}
