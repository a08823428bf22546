package org.pecf.backend.base.pairwise;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Charge arrays on the heap to the run's memory budget, so that what does not fit is refused before
 * it is allocated.
 */
public final class HeapBudget implements AutoCloseable {
  private final BufferAllocator allocator;
  private final List<BufferAllocator> reservations = new ArrayList<>();

  /** Charge to an allocator, borrowed. */
  public HeapBudget(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Charge a number of bytes until the budget is closed.
   *
   * @throws org.apache.arrow.memory.OutOfMemoryException if they do not fit
   */
  public void charge(long bytes) {
    // A child that allocates nothing: what it reserves is taken from its parent until it closes.
    reservations.add(allocator.newChildAllocator("pairwise arrays", bytes, bytes));
  }

  @Override
  public void close() {
    reservations.forEach(BufferAllocator::close);
    reservations.clear();
  }
}
