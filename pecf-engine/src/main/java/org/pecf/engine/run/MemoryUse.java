package org.pecf.engine.run;

import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.run.RunEvent;

/**
 * The off-heap memory of a training: the estimated bound and the peak.
 *
 * @param estimatedBytes the bound that was estimated before it began, data included
 * @param peakBytes the most that was allocated at any time
 */
public record MemoryUse(long estimatedBytes, long peakBytes) implements RunEvent {
  /**
   * Return a bound on the memory that a training allocates, with all that is allocated by now.
   *
   * @param factors the bytes of the members' models
   * @param backend the bytes that the backend takes at most
   */
  static long estimate(BufferAllocator allocator, long factors, long backend) {
    // Factors count twice: they are joined for passes over all cells.
    long needed = 2 * factors + backend;
    return Math.min(
        allocator.getLimit(),
        Math.max(allocator.getPeakMemoryAllocation(), allocator.getAllocatedMemory() + needed));
  }

  @Override
  public String summary() {
    return String.format(
        Locale.ROOT,
        "memory: %d MB at most, %d MB estimated",
        peakBytes >> 20,
        estimatedBytes >> 20);
  }
}
