package org.pecf.engine.data;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.PecfException;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;

/** The limit to the memory of ratings, with an error text for exceeding it. */
final class MemoryLimit {
  private MemoryLimit() {}

  /** Allocate a batch. */
  static RatingBatch batch(BufferAllocator allocator, RatingSchema schema, int capacity) {
    try {
      return RatingBatch.allocate(allocator, schema, capacity);
    } catch (OutOfMemoryException e) {
      throw exceeded(allocator, e);
    }
  }

  /** Create the report that an allocator has reached its limit. */
  static PecfException exceeded(BufferAllocator allocator, OutOfMemoryException cause) {
    return PecfException.resources(
            "The ratings do not fit into the %d MiB of memory that the run may use. Allow it more.",
            allocator.getLimit() >> 20)
        .causedBy(cause);
  }
}
