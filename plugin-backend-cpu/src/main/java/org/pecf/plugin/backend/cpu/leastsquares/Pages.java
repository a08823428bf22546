package org.pecf.plugin.backend.cpu.leastsquares;

import org.pecf.plugin.backend.cpu.algebra.NativeFloats;

/**
 * Place matrices that are copied into each other half a page apart: a processor takes addresses a
 * whole number of pages apart for the same at first, which makes such copies ten times slower.
 */
final class Pages {
  private static final long PAGE = 4096;

  private Pages() {}

  /** Return how many floats to allocate for a square matrix that is placed within them. */
  static long floats(int order) {
    return (long) order * order + 2 * PAGE / Float.BYTES;
  }

  /** Return the first address at the start of a page. */
  static long start(NativeFloats floats) {
    return (floats.address(0) + PAGE - 1) / PAGE * PAGE;
  }

  /** Return the first address in the middle of a page. */
  static long middle(NativeFloats floats) {
    return start(floats) + PAGE / 2;
  }
}
