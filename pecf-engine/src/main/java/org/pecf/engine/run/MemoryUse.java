package org.pecf.engine.run;

import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.request.ComputeRequest;

/**
 * The off-heap memory of a training: the estimated bound and the peak.
 *
 * @param estimatedBytes the bound that was estimated before it began, data included
 * @param peakBytes the most that was allocated at any time
 */
public record MemoryUse(long estimatedBytes, long peakBytes) implements RunEvent {
  /** The bytes a cell takes where weights and weighted targets are kept, or few exceptions. */
  private static final long CELL = 2 * Float.BYTES;

  /** The bytes a cell takes as an exception. */
  private static final long EXCEPTION = 6 * Float.BYTES;

  /** The bytes a cell takes where its score is kept. */
  private static final long SCORE = Float.BYTES;

  /** Rows of equations, and of panels, that a thread works on at a time. */
  private static final long ROWS = 1280;

  /** What a thread needs besides: tiles of scores and weights, lists. */
  private static final long SCRATCH = 16L << 20;

  /**
   * Return a bound on what a training allocates, with all that is allocated by now.
   *
   * @param factors the bytes of the members' models
   * @param rank the factors of a member
   */
  static long estimate(
      BufferAllocator allocator, GridShape shape, ComputeRequest compute, long factors, int rank) {
    long cells = compute.path() == ComputationPath.CORRECTED ? EXCEPTION : CELL;
    long thread = ROWS * rank * (rank + 1L) / 2 * Float.BYTES + SCRATCH;
    // Factors count twice: they are joined for passes over all cells.
    long needed = 2 * factors + (cells + SCORE) * shape.cells() + compute.threads() * thread;
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
