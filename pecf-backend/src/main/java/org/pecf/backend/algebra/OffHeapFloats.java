package org.pecf.backend.algebra;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Floats in an Arrow buffer, which are copied to and from arrays quickly. {@link FloatSlice} is the
 * view that loops and linear algebra work on.
 */
public final class OffHeapFloats implements AutoCloseable {
  private static final int VIEW_BITS = 28;
  private static final long VIEW = 1L << VIEW_BITS;

  private final ArrowBuf buffer;
  private final boolean owned;
  private final FloatBuffer[] views;

  /** The same memory as bits; null before its first use, since Arrow creates views slowly. */
  private @Nullable IntBuffer bits;

  private OffHeapFloats(ArrowBuf buffer, boolean owned) {
    this.buffer = buffer;
    this.owned = owned;
    long count = buffer.capacity() / Float.BYTES;
    views = new FloatBuffer[(int) ((count + VIEW - 1) >> VIEW_BITS)];
    for (int k = 0; k < views.length; k++) {
      long start = k * VIEW;
      int length = (int) Math.min(VIEW, count - start);
      views[k] =
          buffer
              .nioBuffer(start * Float.BYTES, length * Float.BYTES)
              .order(ByteOrder.nativeOrder())
              .asFloatBuffer();
    }
  }

  /** Allocate floats of any value. */
  public static OffHeapFloats allocate(BufferAllocator allocator, long count) {
    return new OffHeapFloats(allocator.buffer(Math.max(1, count) * Float.BYTES), true);
  }

  /** Return a view of a buffer that stays with its owner. */
  public static OffHeapFloats borrow(ArrowBuf buffer) {
    return new OffHeapFloats(buffer, false);
  }

  /** Return the buffer, which stays with its owner. */
  public ArrowBuf buffer() {
    return buffer;
  }

  /** Return a view of some of the floats. */
  public FloatSlice slice(long offset, long count) {
    assert offset >= 0 && (offset + count) * Float.BYTES <= buffer.capacity();
    return new FloatSlice(buffer.memoryAddress() + offset * Float.BYTES, count);
  }

  /**
   * Copy floats into an array.
   *
   * @param target Modified.
   */
  public void read(long index, float[] target, int offset, int count) {
    int done = 0;
    while (done < count) {
      long at = index + done;
      int inView = (int) (at & (VIEW - 1));
      int run = (int) Math.min(count - done, VIEW - inView);
      views[(int) (at >> VIEW_BITS)].get(inView, target, offset + done, run);
      done += run;
    }
  }

  /**
   * Copy floats from an array.
   *
   * @param source Not modified.
   */
  public void write(long index, float[] source, int offset, int count) {
    int done = 0;
    while (done < count) {
      long at = index + done;
      int inView = (int) (at & (VIEW - 1));
      int run = (int) Math.min(count - done, VIEW - inView);
      views[(int) (at >> VIEW_BITS)].put(inView, source, offset + done, run);
      done += run;
    }
  }

  /**
   * Copy the bits of floats from an array to the start.
   *
   * @param source Not modified.
   */
  public void writeBits(int[] source, int count) {
    if (bits == null) {
      bits =
          buffer
              .nioBuffer(0, (int) Math.min(VIEW * Integer.BYTES, buffer.capacity()))
              .order(ByteOrder.nativeOrder())
              .asIntBuffer();
    }
    bits.put(0, source, 0, count);
  }

  /** Return one float. */
  public float get(long index) {
    return views[(int) (index >> VIEW_BITS)].get((int) (index & (VIEW - 1)));
  }

  /** Change one float. */
  public void set(long index, float value) {
    views[(int) (index >> VIEW_BITS)].put((int) (index & (VIEW - 1)), value);
  }

  @Override
  public void close() {
    if (owned) {
      buffer.close();
    }
  }
}
