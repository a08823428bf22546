package org.pecf.engine.resource;

import org.apache.arrow.memory.AllocationListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * The memory a run may take, counted as it is asked for.
 *
 * <p>Arrow by itself rounds buffers of less than 16 MiB up to a power of two, so that up to half of
 * a small budget is lost, and what is found to fit does not: a run could fail with more memory than
 * it succeeds with.
 */
final class MemoryBudget {
  /** The unit of sizes, as Arrow recommends for buffers. */
  private static final long GRAIN = 64;

  private MemoryBudget() {}

  /** Return an allocator with a limit; the caller closes it. */
  static BufferAllocator allocator(long bytes) {
    return new RootAllocator(
        AllocationListener.NOOP, bytes, size -> (size + GRAIN - 1) / GRAIN * GRAIN);
  }
}
