package org.pecf.backend.algebra;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.FloatMatrix;

/**
 * Floats in an Arrow buffer, which are copied to and from arrays quickly. {@link FloatSlice} is the
 * view that loops and linear algebra work on.
 */
public final class OffHeapFloats implements AutoCloseable {
  private static final int VIEW_BITS = 28;
  private static final long VIEW = 1L << VIEW_BITS;

  /** The buffer, if it is to be closed here. */
  private final @Nullable ArrowBuf owned;

  private final long address;
  private final long count;
  private final FloatBuffer[] views;

  /** The same memory as bits; null before its first use, since Arrow creates views slowly. */
  private @Nullable IntBuffer bits;

  private OffHeapFloats(@Nullable ArrowBuf owned, long address, long count) {
    this.owned = owned;
    this.address = address;
    this.count = count;
    views = new FloatBuffer[(int) ((count + VIEW - 1) >> VIEW_BITS)];
    for (int k = 0; k < views.length; k++) {
      views[k] = view(k).asFloatBuffer();
    }
  }

  private ByteBuffer view(int number) {
    long start = number * VIEW;
    return MemoryUtil.directBuffer(
            address + start * Float.BYTES, (int) Math.min(VIEW, count - start) * Float.BYTES)
        .order(ByteOrder.nativeOrder());
  }

  /** Allocate floats of any value. */
  public static OffHeapFloats allocate(BufferAllocator allocator, long count) {
    ArrowBuf buffer = allocator.buffer(Math.max(1, count) * Float.BYTES);
    return new OffHeapFloats(buffer, buffer.memoryAddress(), buffer.capacity() / Float.BYTES);
  }

  /** Return a view of a buffer that stays with its owner. */
  public static OffHeapFloats borrow(ArrowBuf buffer) {
    if (buffer.refCnt() == 0) {
      throw new IllegalStateException("the buffer is closed");
    }
    return new OffHeapFloats(null, buffer.memoryAddress(), buffer.capacity() / Float.BYTES);
  }

  /** Return a view of a matrix that stays with its owner. */
  public static OffHeapFloats borrow(FloatMatrix matrix) {
    return new OffHeapFloats(null, matrix.rowAddress(0), (long) matrix.rows() * matrix.columns());
  }

  /** Return the buffer of floats that were allocated. */
  public ArrowBuf buffer() {
    return Objects.requireNonNull(owned);
  }

  /** Return a view of some of the floats. */
  public FloatSlice slice(long offset, long length) {
    assert offset >= 0 && offset + length <= count;
    return new FloatSlice(address + offset * Float.BYTES, length);
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
      bits = view(0).asIntBuffer();
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
    if (owned != null) {
      owned.close();
    }
  }
}
