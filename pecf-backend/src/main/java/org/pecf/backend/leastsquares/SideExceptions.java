package org.pecf.backend.leastsquares;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.OffHeapFloats;

/** The exceptions of all rows of one side, or of a block of them, in compressed form. */
public final class SideExceptions implements AutoCloseable {
  /** The bytes that an exception takes. */
  public static final long BYTES = (long) RowExceptions.WORDS * Float.BYTES;

  private final long[] starts;
  private final int[] aboves;
  private final ExcessLevels levels;
  private final OffHeapFloats memory;
  private final FloatSlice entries;

  /**
   * Allocate room for exceptions.
   *
   * @param starts the start of each row's exceptions, and the end of the last row's
   * @param aboves the number of exceptions above the background, by row
   */
  public SideExceptions(
      BufferAllocator allocator, long[] starts, int[] aboves, ExcessLevels levels) {
    this.starts = starts;
    this.aboves = aboves;
    this.levels = levels;
    long floats = RowExceptions.WORDS * starts[starts.length - 1];
    this.memory = OffHeapFloats.allocate(allocator, floats);
    this.entries = memory.slice(0, floats);
  }

  /** Return the number of exceptions. */
  public long count() {
    return starts[starts.length - 1];
  }

  /** Return the start of a row's exceptions. */
  public long start(int row) {
    return starts[row];
  }

  /** Return the exceptions of a row. */
  RowExceptions row(int row) {
    int count = Math.toIntExact(starts[row + 1] - starts[row]);
    return new RowExceptions(
        entries.slice(RowExceptions.WORDS * starts[row], (long) RowExceptions.WORDS * count),
        count,
        aboves[row]);
  }

  /** Return the values that the excess takes. */
  public ExcessLevels levels() {
    return levels;
  }

  /** Write the exception at a position. */
  public void set(long position, int other, float scale, float pull) {
    long at = RowExceptions.WORDS * position;
    entries.setBits(at, other);
    entries.set(at + 1, scale);
    entries.set(at + 2, pull);
  }

  @Override
  public void close() {
    memory.close();
  }
}
