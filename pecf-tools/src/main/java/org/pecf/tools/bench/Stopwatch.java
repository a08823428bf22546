package org.pecf.tools.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Comparator;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** A stopwatch of elapsed and processor time. */
final class Stopwatch {
  private Stopwatch() {}

  /**
   * Do something several times and keep the best repetition by processor time.
   *
   * @param repetitions at least 1
   */
  static Measurement best(
      String name, double work, String unit, int repetitions, Runnable something) {
    return best(name, work, unit, repetitions, something, Stopwatch::cpuNanos);
  }

  /**
   * Do something several times and keep the best repetition by the processor time of the process,
   * which counts threads that a native library starts, but is known in steps of ten milliseconds.
   *
   * @param repetitions at least 1
   */
  static Measurement bestOfProcess(
      String name, double work, String unit, int repetitions, Runnable something) {
    return best(name, work, unit, repetitions, something, Stopwatch::processNanos);
  }

  private static Measurement best(
      String name,
      double work,
      String unit,
      int repetitions,
      Runnable something,
      LongSupplier cpuNanos) {
    return IntStream.range(0, repetitions)
        .mapToObj(repetition -> once(name, work, unit, something, cpuNanos))
        .min(
            Comparator.comparingDouble(Measurement::cpuSeconds)
                .thenComparing(Measurement::wallSeconds))
        .orElseThrow();
  }

  private static Measurement once(
      String name, double work, String unit, Runnable something, LongSupplier cpuNanos) {
    long cpu = cpuNanos.getAsLong();
    long wall = System.nanoTime();
    something.run();
    return new Measurement(
        name,
        (System.nanoTime() - wall) / 1e9,
        Math.max(1e-9, (cpuNanos.getAsLong() - cpu) / 1e9),
        work,
        unit);
  }

  private static long processNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean process
        ? process.getProcessCpuTime()
        : cpuNanos();
  }

  /**
   * Return the processor time of all threads that live. The time of the process would also count
   * the compiler and the collector, but in steps of ten milliseconds.
   */
  static long cpuNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      // Minus one if the thread has ended meanwhile.
      sum += Math.max(0, threads.getThreadCpuTime(id));
    }
    return sum;
  }
}
