package org.pecf.backend.pairwise;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A charge for arrays on the heap against the run's memory limit, so that arrays that do not fit
 * are refused before they are allocated.
 */
public final class HeapBudget implements AutoCloseable {
  private final BufferAllocator allocator;
  private final List<BufferAllocator> reservations = new ArrayList<>();

  /** Create a budget that charges an allocator, which it does not own. */
  public HeapBudget(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Charge a number of bytes until the budget is closed.
   *
   * @throws org.apache.arrow.memory.OutOfMemoryException if they do not fit
   */
  public void charge(long bytes) {
    // A child that allocates nothing: its reservation counts against its parent until it closes.
    reservations.add(allocator.newChildAllocator("pairwise arrays", bytes, bytes));
  }

  @Override
  public void close() {
    reservations.forEach(BufferAllocator::close);
    reservations.clear();
  }
}
