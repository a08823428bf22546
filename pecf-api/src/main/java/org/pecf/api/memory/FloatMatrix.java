package org.pecf.api.memory;

import java.nio.ByteOrder;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;

/**
 * A dense matrix of floats in one Arrow buffer, row after row without gaps.
 *
 * <p>The matrix owns its buffer: close it, or {@linkplain #transferTo hand it over}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FloatMatrix implements AutoCloseable {
  private final ArrowBuf buffer;
  private final int rows;
  private final int columns;

  private FloatMatrix(ArrowBuf buffer, int rows, int columns) {
    this.buffer = buffer;
    this.rows = rows;
    this.columns = columns;
  }

  /** Allocate a matrix of zeros. */
  public static FloatMatrix allocate(BufferAllocator allocator, int rows, int columns) {
    if (rows < 0 || columns < 0) {
      throw new IllegalArgumentException("a matrix cannot be " + rows + " x " + columns);
    }
    ArrowBuf buffer = allocator.buffer(bytes(rows, columns));
    buffer.setZero(0, buffer.capacity());
    return new FloatMatrix(buffer, rows, columns);
  }

  /**
   * Take over a buffer that holds the matrix already.
   *
   * @param buffer from now on owned by the matrix
   */
  public static FloatMatrix of(ArrowBuf buffer, int rows, int columns) {
    if (buffer.capacity() < bytes(rows, columns)) {
      throw new IllegalArgumentException(
          "a buffer of " + buffer.capacity() + " bytes cannot hold " + rows + " x " + columns);
    }
    return new FloatMatrix(buffer, rows, columns);
  }

  /** Return how many bytes a matrix takes. */
  public static long bytes(int rows, int columns) {
    return (long) rows * columns * Float.BYTES;
  }

  /** Return the number of rows. */
  public int rows() {
    return rows;
  }

  /** Return the number of columns. */
  public int columns() {
    return columns;
  }

  /** Return the buffer, which stays owned by the matrix. */
  public ArrowBuf buffer() {
    return buffer;
  }

  /** Return the memory address of the first element of a row. */
  public long rowAddress(int row) {
    return buffer.memoryAddress() + bytes(row, columns);
  }

  /** Return one element. */
  public float get(int row, int column) {
    return buffer.getFloat(((long) row * columns + column) * Float.BYTES);
  }

  /** Change one element. */
  public void set(int row, int column, float value) {
    buffer.setFloat(((long) row * columns + column) * Float.BYTES, value);
  }

  /**
   * Copy a row into an array.
   *
   * @param target receives the row from index 0 on. Modified.
   */
  public void readRow(int row, float[] target) {
    readRows(row, 1, target);
  }

  /**
   * Copy consecutive rows into an array.
   *
   * @param target receives count x columns elements from index 0 on. Modified.
   */
  public void readRows(int firstRow, int count, float[] target) {
    Objects.checkFromIndexSize(firstRow, count, rows);
    buffer
        .nioBuffer(bytes(firstRow, columns), Math.toIntExact(bytes(count, columns)))
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer()
        .get(target, 0, count * columns);
  }

  /**
   * Replace consecutive rows by the elements of an array.
   *
   * @param source count x columns elements from index 0 on. Not modified.
   */
  public void writeRows(int firstRow, int count, float[] source) {
    buffer
        .nioBuffer(bytes(firstRow, columns), Math.toIntExact(bytes(count, columns)))
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer()
        .put(source, 0, count * columns);
  }

  /**
   * Hand the memory to another allocator of the same root without copying; this matrix is closed.
   *
   * @return the same memory, owned by the target
   */
  public FloatMatrix transferTo(BufferAllocator target) {
    ArrowBuf moved =
        buffer.getReferenceManager().transferOwnership(buffer, target).getTransferredBuffer();
    buffer.getReferenceManager().release();
    return new FloatMatrix(moved, rows, columns);
  }

  @Override
  public void close() {
    buffer.close();
  }
}
