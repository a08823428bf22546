package org.pecf.tools.selftest;

/**
 * Hold how fast something was.
 *
 * @param name what was measured
 * @param seconds how long it took, by the clock
 * @param work how much was done
 * @param unit of what, such as {@code flop}
 * @param peakShare the rate as a share of what the hardware could do at best; NaN if unknown
 */
public record Rate(String name, double seconds, double work, String unit, double peakShare) {
  /** Return how much was done in a second. */
  public double perSecond() {
    return work / seconds;
  }
}
