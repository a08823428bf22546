package org.pecf.plugin.backend.cpu.algebra;

import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/** Hold ints in Arrow memory and copy runs of them from and to arrays. */
public final class NativeInts implements AutoCloseable {
  private final ArrowBuf buffer;

  private NativeInts(ArrowBuf buffer) {
    this.buffer = buffer;
  }

  /** Allocate ints of any value. */
  public static NativeInts allocate(BufferAllocator allocator, long count) {
    return new NativeInts(allocator.buffer(Math.max(1, count) * Integer.BYTES));
  }

  /** Return the address of an int. */
  public long address(long index) {
    return buffer.memoryAddress() + index * Integer.BYTES;
  }

  /** Return the int at an index from an address. */
  public static int at(long address, long index) {
    return MemoryUtil.getInt(address + index * Integer.BYTES);
  }

  /** Change the int at an index from an address. */
  public static void put(long address, long index, int value) {
    MemoryUtil.putInt(address + index * Integer.BYTES, value);
  }

  /** Return one int. */
  public int get(long index) {
    return buffer.getInt(index * Integer.BYTES);
  }

  /** Change one int. */
  public void set(long index, int value) {
    buffer.setInt(index * Integer.BYTES, value);
  }

  /**
   * Copy ints into an array.
   *
   * @param target Modified.
   */
  public void read(long index, int[] target, int count) {
    buffer
        .nioBuffer(index * Integer.BYTES, count * Integer.BYTES)
        .order(ByteOrder.nativeOrder())
        .asIntBuffer()
        .get(target, 0, count);
  }

  /**
   * Copy ints from an array.
   *
   * @param source Not modified.
   */
  public void write(long index, int[] source, int count) {
    buffer
        .nioBuffer(index * Integer.BYTES, count * Integer.BYTES)
        .order(ByteOrder.nativeOrder())
        .asIntBuffer()
        .put(source, 0, count);
  }

  @Override
  public void close() {
    buffer.close();
  }
}
