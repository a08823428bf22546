package org.pecf.engine.data;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A column of numbers of one width in off-heap memory. */
final class OffHeapColumn implements AutoCloseable {
  private final int width;
  private ArrowBuf buffer;
  private boolean owned = true;

  private OffHeapColumn(ArrowBuf buffer, int width) {
    this.buffer = buffer;
    this.width = width;
  }

  /** Allocate a column of zeros with the given number of bytes per element. */
  static OffHeapColumn allocate(BufferAllocator allocator, long size, int width) {
    ArrowBuf buffer = allocator.buffer(Math.max(1L, size * width));
    buffer.setZero(0, buffer.capacity());
    return new OffHeapColumn(buffer, width);
  }

  /** Allocate a column whose elements must all be set before they are read. */
  static OffHeapColumn unset(BufferAllocator allocator, long size, int width) {
    return new OffHeapColumn(allocator.buffer(Math.max(1L, size * width)), width);
  }

  /** Return the number of elements that fit. */
  long capacity() {
    return buffer.capacity() / width;
  }

  ArrowBuf buffer() {
    return buffer;
  }

  byte byteAt(long index) {
    return buffer.getByte(index);
  }

  int intAt(long index) {
    return buffer.getInt(index * Integer.BYTES);
  }

  float floatAt(long index) {
    return buffer.getFloat(index * Float.BYTES);
  }

  long longAt(long index) {
    return buffer.getLong(index * Long.BYTES);
  }

  void set(long index, byte value) {
    buffer.setByte(index, value);
  }

  void set(long index, int value) {
    buffer.setInt(index * Integer.BYTES, value);
  }

  void set(long index, float value) {
    buffer.setFloat(index * Float.BYTES, value);
  }

  void set(long index, long value) {
    buffer.setLong(index * Long.BYTES, value);
  }

  /** Copy elements from the start of a buffer to the start of the column. */
  void copyFrom(ArrowBuf source, long size) {
    buffer.setBytes(0, source, 0, size * width);
  }

  /** Make room for at least the given number of elements by doubling; keep the content. */
  void grow(BufferAllocator allocator, long size) {
    if (size <= capacity()) {
      return;
    }
    ArrowBuf larger = allocator.buffer(Math.max(size, 2 * capacity()) * width);
    larger.setBytes(0, buffer, 0, buffer.capacity());
    larger.setZero(buffer.capacity(), larger.capacity() - buffer.capacity());
    buffer.close();
    buffer = larger;
  }

  /** Give the memory away; closing the column then does nothing. */
  ArrowBuf release() {
    owned = false;
    return buffer;
  }

  @Override
  public void close() {
    if (owned) {
      owned = false;
      buffer.close();
    }
  }
}
