package org.pecf.api.memory;

import java.nio.ByteOrder;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;

/**
 * A dense matrix of floats in one Arrow buffer, row after row without gaps.
 *
 * <p>The matrix owns its buffer: close it, or {@linkplain #transferTo hand it over}. An index out
 * of bounds, and a use after that, is an exception.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FloatMatrix implements AutoCloseable {
  private final ArrowBuf buffer;
  private final int rows;
  private final int columns;
  private final boolean owned;
  private final FloatMatrix lent;

  private FloatMatrix(ArrowBuf buffer, int rows, int columns) {
    this.buffer = buffer;
    this.rows = rows;
    this.columns = columns;
    this.owned = true;
    this.lent = new FloatMatrix(this, false);
  }

  private FloatMatrix(FloatMatrix owner, boolean writable) {
    this.buffer = owner.buffer;
    this.rows = owner.rows;
    this.columns = owner.columns;
    this.owned = false;
    this.lent = writable ? owner.lent : this;
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

  /** Return a view of a buffer that stays with its owner: the view is written to, never closed. */
  public static FloatMatrix borrow(ArrowBuf buffer, int rows, int columns) {
    return new FloatMatrix(of(buffer, rows, columns), true);
  }

  /**
   * Return the view for somebody who may read the matrix only: changing it, closing it or handing
   * it over is an exception. Always the same one.
   */
  public FloatMatrix lent() {
    return lent;
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

  /** Return the buffer, which stays owned by the matrix. A matrix that is lent gives none. */
  public ArrowBuf buffer() {
    return writable().buffer;
  }

  /**
   * Return the memory address of the first element of a row, or of the end. Nothing is checked
   * where addresses are used.
   */
  public long rowAddress(int row) {
    Objects.checkIndex(row, rows + 1);
    if (buffer.refCnt() == 0) {
      throw new IllegalStateException("the matrix is closed");
    }
    return buffer.memoryAddress() + bytes(row, columns);
  }

  /** Return one element. */
  public float get(int row, int column) {
    return buffer.getFloat(offset(row, column));
  }

  /** Change one element. */
  public void set(int row, int column, float value) {
    writable().buffer.setFloat(offset(row, column), value);
  }

  private long offset(int row, int column) {
    return ((long) Objects.checkIndex(row, rows) * columns + Objects.checkIndex(column, columns))
        * Float.BYTES;
  }

  /** Return this matrix, unless it is lent to be read: that is an exception. */
  public FloatMatrix writable() {
    if (lent == this) {
      throw isLent();
    }
    return this;
  }

  private static IllegalStateException isLent() {
    return new IllegalStateException(
        "the matrix is lent: it cannot be closed or handed over, nor changed where it is lent to be"
            + " read");
  }

  /** Replace all elements by those of a matrix of as many rows and columns. */
  public void copyFrom(FloatMatrix source) {
    if (source.rows != rows || source.columns != columns) {
      throw new IllegalArgumentException(
          String.format("%s x %s is not %s x %s", source.rows, source.columns, rows, columns));
    }
    writable().buffer.setBytes(0, source.buffer, 0, bytes(rows, columns));
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
    Objects.checkFromIndexSize(firstRow, count, rows);
    writable()
        .buffer
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
    if (!owned) {
      throw isLent();
    }
    ArrowBuf moved =
        buffer.getReferenceManager().transferOwnership(buffer, target).getTransferredBuffer();
    buffer.getReferenceManager().release();
    return new FloatMatrix(moved, rows, columns);
  }

  @Override
  public void close() {
    if (!owned) {
      throw isLent();
    }
    buffer.close();
  }
}
