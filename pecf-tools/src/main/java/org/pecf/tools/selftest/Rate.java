package org.pecf.tools.selftest;

/**
 * The speed of an operation.
 *
 * @param name the operation
 * @param seconds the elapsed time
 * @param work the amount of work
 * @param unit the unit of work, such as {@code flop}
 * @param peakShare the rate as a share of the peak of the hardware; NaN if unknown
 */
public record Rate(String name, double seconds, double work, String unit, double peakShare) {
  /** Return the work per second. */
  public double perSecond() {
    return work / seconds;
  }
}
