package org.pecf.backend.leastsquares;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.OffHeapFloats;

/** The exceptions of all rows of one side, or of a block of them, in compressed form. */
public final class SideExceptions implements AutoCloseable {
  /** The bytes that an exception takes. */
  public static final long BYTES = (long) Row.WORDS * Float.BYTES;

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
    long floats = Row.WORDS * starts[starts.length - 1];
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
  Row row(int row) {
    int count = Math.toIntExact(starts[row + 1] - starts[row]);
    return new Row(
        entries.slice(Row.WORDS * starts[row], (long) Row.WORDS * count), count, aboves[row]);
  }

  /** Return the values that the excess takes. */
  public ExcessLevels levels() {
    return levels;
  }

  /** Write the exception at a position. */
  public void set(long position, int other, float scale, float pull) {
    long at = Row.WORDS * position;
    entries.setBits(at, other);
    entries.set(at + 1, scale);
    entries.set(at + 2, pull);
  }

  @Override
  public void close() {
    memory.close();
  }

  /**
   * The exceptions of one row, or some of them: an int and two floats each, side by side. Those
   * above the background come first.
   *
   * @param entries the memory
   * @param count the number of exceptions
   * @param above the number of exceptions above the background
   */
  record Row(FloatSlice entries, int count, int above) {
    /** The 4-byte words that an exception takes. */
    static final int WORDS = 3;

    /** Return some of the exceptions. */
    Row range(int start, int end) {
      return new Row(
          entries.slice((long) WORDS * start, (long) WORDS * (end - start)),
          end - start,
          Math.max(0, Math.min(end, above) - start));
    }

    /** Return the row of the other side that an exception is in. */
    int other(int index) {
      return entries.bits((long) WORDS * index);
    }

    /** Return the scale of an exception; without meaning if levels are uniform. */
    float scale(int index) {
      return entries.get((long) WORDS * index + 1);
    }

    /** Return the pull of an exception, divided by its scale unless levels are uniform. */
    float pull(int index) {
      return entries.get((long) WORDS * index + 2);
    }

    /** Return the pulls of all exceptions, {@link #WORDS} floats apart. */
    FloatSlice pulls() {
      return count == 0 ? entries : entries.from(2);
    }

    /**
     * Copy the start of the rows of the other side that the exceptions are in.
     *
     * @param from all rows of the other side. Not modified.
     * @param stride the floats from one of them to the next
     * @param to receives one row per exception. Modified.
     * @param width the floats that are copied of each
     */
    void copyRows(FloatSlice from, int stride, FloatSlice to, int width) {
      for (int p = 0; p < count; p++) {
        from.copyTo((long) other(p) * stride, to, (long) p * width, width);
      }
    }
  }
}
