package org.pecf.engine.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Time work by elapsed and by processor time. */
final class Stopwatch {
  private Stopwatch() {}

  /**
   * Do something several times and keep the best repetition by processor time.
   *
   * @param repetitions at least 1
   */
  static Measurement best(
      String name, double work, String unit, int repetitions, Runnable something) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Measurement best = null;
    for (int k = 0; k < repetitions; k++) {
      long cpu = system.getProcessCpuTime();
      long wall = System.nanoTime();
      something.run();
      Measurement one =
          new Measurement(
              name,
              (System.nanoTime() - wall) / 1e9,
              Math.max(1e-9, (system.getProcessCpuTime() - cpu) / 1e9),
              work,
              unit);
      if (best == null || one.cpuSeconds() < best.cpuSeconds()) {
        best = one;
      }
    }
    return best;
  }
}
