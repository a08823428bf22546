package org.pecf.backend.leastsquares;

import org.pecf.backend.algebra.FloatSlice;

/**
 * The exceptions of one row, or some of them: an int and two floats each, side by side. Those above
 * the background come first.
 *
 * @param entries the memory
 * @param count the number of exceptions
 * @param above the number of exceptions above the background
 */
record RowExceptions(FloatSlice entries, int count, int above) {
  /** The 4-byte words that an exception takes. */
  static final int WORDS = 3;

  /** Return some of the exceptions. */
  RowExceptions range(int start, int end) {
    return new RowExceptions(
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
