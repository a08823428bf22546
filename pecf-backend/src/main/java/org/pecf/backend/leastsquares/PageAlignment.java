package org.pecf.backend.leastsquares;

import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.OffHeapFloats;

/**
 * The placement of matrices that are copied into each other half a page apart: a processor at first
 * takes addresses a whole number of pages apart for the same, which makes copies ten times slower.
 */
public final class PageAlignment {
  private static final long PAGE = 4096;

  private PageAlignment() {}

  /** Return the floats to allocate for a square matrix that is placed within them. */
  public static long floats(int order) {
    return (long) order * order + 2 * PAGE / Float.BYTES;
  }

  /** Return a square matrix at the start of a page. */
  public static FloatSlice atStart(OffHeapFloats floats, int order) {
    return place(floats, order, 0);
  }

  /** Return a square matrix in the middle of a page. */
  public static FloatSlice atMiddle(OffHeapFloats floats, int order) {
    return place(floats, order, PAGE / 2);
  }

  private static FloatSlice place(OffHeapFloats floats, int order, long within) {
    FloatSlice all = floats.slice(0, floats(order));
    long start = (all.address() + PAGE - 1) / PAGE * PAGE + within;
    return all.slice((start - all.address()) / Float.BYTES, (long) order * order);
  }
}
