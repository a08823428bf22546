package org.pecf.engine.resource;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * A clock of the time that some work takes: by the wall, and of processors. The latter counts all
 * threads of the process, those of native libraries, of the compiler and of the collector included.
 */
public final class WorkClock {
  private final long start;
  private final long processorStart;

  /** Start the clock. */
  public WorkClock() {
    start = System.nanoTime();
    processorStart = processorNanos();
  }

  /** Return the seconds since the start. */
  public double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Return the processor seconds of the process since the start. */
  public double processorSeconds() {
    return (processorNanos() - processorStart) / 1e9;
  }

  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
