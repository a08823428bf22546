package org.pecf.engine.selftest;

/**
 * The difference between the results of two backends.
 *
 * @param name the operation
 * @param seconds the elapsed time on the tested backend
 * @param referenceSeconds the elapsed time on the other one
 * @param largest the largest difference between two values, as a share of the largest value
 * @param bound the largest share that rounding explains
 */
public record Difference(
    String name, double seconds, double referenceSeconds, double largest, double bound) {
  /** Return whether both backends compute the same, but for rounding. */
  public boolean agrees() {
    return largest <= bound;
  }
}
