package org.pecf.tools.bench;

/**
 * The time of one kernel: the best of several repetitions.
 *
 * @param name the name of the measured step
 * @param wallSeconds elapsed time
 * @param cpuSeconds processor time of all threads, which a busy machine disturbs least
 * @param work how many units of work were done
 * @param unit the unit: "flop", "byte", "cell", "sample" or ""
 */
public record Measurement(
    String name, double wallSeconds, double cpuSeconds, double work, String unit) {
  /** Return units of work a second of processor time. */
  public double perCpuSecond() {
    return work / cpuSeconds;
  }

  /** Return the time of this and something else together, of no unit. */
  public Measurement plus(Measurement other) {
    return new Measurement(
        name, wallSeconds + other.wallSeconds, cpuSeconds + other.cpuSeconds, 1, "");
  }

  /** Return the time of the given number of repetitions, of no unit. */
  public Measurement times(int count) {
    return new Measurement(name, count * wallSeconds, count * cpuSeconds, 1, "");
  }

  /** Return this under another name. */
  public Measurement named(String other) {
    return new Measurement(other, wallSeconds, cpuSeconds, work, unit);
  }
}
