package org.pecf.engine.data;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A column of numbers of one width in off-heap memory. Elements are read and written by address,
 * each index checked once: loading takes a tenth longer by Arrow's own checks.
 */
final class OffHeapColumn implements AutoCloseable {
  private final int width;
  private ArrowBuf buffer;
  private long address;
  private long bytes;
  private boolean owned = true;

  private OffHeapColumn(ArrowBuf buffer, int width) {
    this.width = width;
    this.buffer = buffer;
    this.address = buffer.memoryAddress();
    this.bytes = buffer.capacity();
  }

  /** Return the address of an element of a size, which must be within the column. */
  private long at(long index, int size) {
    long offset = index * size;
    if (offset < 0 || offset + size > bytes) {
      throw new IndexOutOfBoundsException("element " + index + " of " + bytes / size);
    }
    return address + offset;
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

  /** Return a column of the memory of another owner, who must keep it for as long. */
  static OffHeapColumn view(ArrowBuf buffer, int width) {
    OffHeapColumn column = new OffHeapColumn(buffer, width);
    column.owned = false;
    return column;
  }

  /** Return the number of elements that fit. */
  long capacity() {
    return buffer.capacity() / width;
  }

  ArrowBuf buffer() {
    return buffer;
  }

  byte byteAt(long index) {
    return MemoryUtil.getByte(at(index, Byte.BYTES));
  }

  int intAt(long index) {
    return MemoryUtil.getInt(at(index, Integer.BYTES));
  }

  float floatAt(long index) {
    return Float.intBitsToFloat(MemoryUtil.getInt(at(index, Float.BYTES)));
  }

  long longAt(long index) {
    return MemoryUtil.getLong(at(index, Long.BYTES));
  }

  void set(long index, byte value) {
    MemoryUtil.putByte(at(index, Byte.BYTES), value);
  }

  void set(long index, int value) {
    MemoryUtil.putInt(at(index, Integer.BYTES), value);
  }

  void set(long index, float value) {
    MemoryUtil.putInt(at(index, Float.BYTES), Float.floatToRawIntBits(value));
  }

  void set(long index, long value) {
    MemoryUtil.putLong(at(index, Long.BYTES), value);
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
    address = larger.memoryAddress();
    bytes = larger.capacity();
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
      bytes = 0;
      buffer.close();
    }
  }
}
