package org.pecf.backend.algebra;

import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** Off-heap memory that grows on demand and is overwritten by every use. */
public final class ScratchFloats implements AutoCloseable {
  private final BufferAllocator allocator;
  private @Nullable OffHeapFloats floats;
  private long size;

  ScratchFloats(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** Return memory of any content, at least as long as asked, valid until the next call. */
  public OffHeapFloats floats(long count) {
    if (floats == null || size < count) {
      close();
      floats = OffHeapFloats.allocate(allocator, count);
      size = count;
    }
    return floats;
  }

  /** Return a slice of any content, as long as asked, valid until the next call. */
  public FloatSlice slice(long count) {
    return floats(count).slice(0, count);
  }

  @Override
  public void close() {
    if (floats != null) {
      floats.close();
      floats = null;
    }
  }
}
