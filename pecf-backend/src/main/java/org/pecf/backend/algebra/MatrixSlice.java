package org.pecf.backend.algebra;

import org.pecf.api.memory.FloatMatrix;

/**
 * A view of a matrix in off-heap memory, stored row by row, or of its transpose.
 *
 * @param floats the memory
 * @param rows the number of rows, transposed if so
 * @param columns the number of columns, transposed if so
 * @param stride the floats from one stored row to the next
 * @param transposed whether the memory holds the transpose
 */
public record MatrixSlice(
    FloatSlice floats, int rows, int columns, int stride, boolean transposed) {
  public MatrixSlice {
    assert floats.length()
            >= needed(transposed ? columns : rows, transposed ? rows : columns, stride)
        : rows + " x " + columns + " at stride " + stride + " in " + floats.length() + " floats";
  }

  private static long needed(int storedRows, int storedColumns, int stride) {
    return storedRows == 0 ? 0 : (storedRows - 1L) * stride + storedColumns;
  }

  /** Return a view of rows without gaps. */
  public static MatrixSlice of(FloatSlice floats, int rows, int columns) {
    return of(floats, rows, columns, columns);
  }

  /** Return a view of rows that are a stride apart. */
  public static MatrixSlice of(FloatSlice floats, int rows, int columns, int stride) {
    return new MatrixSlice(floats, rows, columns, stride, false);
  }

  /** Return a view of a matrix. */
  public static MatrixSlice of(FloatMatrix matrix) {
    return rows(matrix, 0, matrix.rows());
  }

  /** Return a view of consecutive rows of a matrix. */
  public static MatrixSlice rows(FloatMatrix matrix, int first, int count) {
    return of(FloatSlice.rows(matrix, first, count), count, matrix.columns());
  }

  /** Return a view of the transpose. */
  public MatrixSlice transpose() {
    return new MatrixSlice(floats, columns, rows, stride, !transposed);
  }

  /** Return a view of consecutive rows without gaps. */
  public MatrixSlice rows(int first, int count) {
    assert !transposed && stride == columns;
    return of(floats.slice((long) first * columns, (long) count * columns), count, columns);
  }

  /** Return a view of one row. */
  public FloatSlice row(int row) {
    assert !transposed;
    return floats.slice((long) row * stride, columns);
  }
}
