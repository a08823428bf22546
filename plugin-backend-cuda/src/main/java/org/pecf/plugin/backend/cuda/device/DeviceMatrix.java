package org.pecf.plugin.backend.cuda.device;

/**
 * A view of a matrix of floats on the device, stored row by row, or of its transpose.
 *
 * @param floats the memory
 * @param rows the number of rows, transposed if so
 * @param columns the number of columns, transposed if so
 * @param stride the floats from one stored row to the next
 * @param transposed whether the memory holds the transpose
 */
public record DeviceMatrix(
    DeviceSlice floats, int rows, int columns, int stride, boolean transposed) {
  public DeviceMatrix {
    assert floats.bytes()
            >= needed(transposed ? columns : rows, transposed ? rows : columns, stride)
        : rows + " x " + columns + " at stride " + stride + " in " + floats.bytes() + " bytes";
  }

  private static long needed(int storedRows, int storedColumns, int stride) {
    return storedRows == 0 ? 0 : ((storedRows - 1L) * stride + storedColumns) * Float.BYTES;
  }

  /** Return a view of rows without gaps. */
  public static DeviceMatrix of(DeviceSlice floats, int rows, int columns) {
    return of(floats, rows, columns, columns);
  }

  /** Return a view of rows that are a stride apart. */
  public static DeviceMatrix of(DeviceSlice floats, int rows, int columns, int stride) {
    return new DeviceMatrix(floats, rows, columns, stride, false);
  }

  /** Return a view of the transpose. */
  public DeviceMatrix transpose() {
    return new DeviceMatrix(floats, columns, rows, stride, !transposed);
  }

  /** Return a view of a rectangle of this matrix, which is not transposed. */
  public DeviceMatrix part(int firstRow, int partRows, int firstColumn, int partColumns) {
    assert !transposed;
    long offset = ((long) firstRow * stride + firstColumn) * Float.BYTES;
    return of(floats.from(Math.min(offset, floats.bytes())), partRows, partColumns, stride);
  }
}
