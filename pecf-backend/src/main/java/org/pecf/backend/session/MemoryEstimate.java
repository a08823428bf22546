package org.pecf.backend.session;

import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.SessionContext;

/** A bound on the memory that a session takes of a run. */
public final class MemoryEstimate {
  /** The bytes of a cell whose weight and weighted target are kept, or of few exceptions. */
  private static final long CELL = 2 * Float.BYTES;

  /** The bytes of a cell that is an exception. */
  private static final long EXCEPTION = 6 * Float.BYTES;

  /** The bytes of a cell whose score is kept. */
  private static final long SCORE = Float.BYTES;

  /** The rows of equations, and of panels, that a thread works on at a time. */
  private static final long ROWS = 1280;

  /** The further bytes that a thread needs: tiles of scores and weights, lists. */
  private static final long SCRATCH = 16L << 20;

  private MemoryEstimate() {}

  /** Return the bytes that a session takes at most for models of the given number of factors. */
  public static long bytes(SessionContext context, int rank) {
    long cell = context.path() == ComputationPath.CORRECTED ? EXCEPTION : CELL;
    long thread = ROWS * rank * (rank + 1L) / 2 * Float.BYTES + SCRATCH;
    return (cell + SCORE) * context.shape().cells()
        + context.run().parallelism().threads() * thread;
  }
}
