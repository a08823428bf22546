package org.pecf.study;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * A clock of the time that some work takes: by the wall, and of processors. The latter counts all
 * threads of the process, those of native libraries, of the compiler and of the collector included.
 */
final class WorkClock {
  private final long start = System.nanoTime();
  private final long processorStart = processorNanos();

  /** Return the seconds since the clock was made. */
  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Return the processor seconds of the process since the clock was made. */
  double processorSeconds() {
    return (processorNanos() - processorStart) / 1e9;
  }

  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
