package org.pecf.plugin.backend.cuda.device;

import java.util.Locale;
import org.pecf.api.compute.PeakRates;

/**
 * The properties of a device.
 *
 * @param ordinal its number
 * @param name its name
 * @param major the major number of its compute capability
 * @param minor the minor number of its compute capability
 * @param bytes its memory
 * @param multiprocessors the number of its multiprocessors
 * @param clockKilohertz their highest clock
 * @param memoryClockKilohertz the highest clock of the memory
 * @param busBits the width of the memory bus
 * @param driverVersion the version of CUDA that the driver supports: 12040 is 12.4
 */
public record DeviceDescription(
    int ordinal,
    String name,
    int major,
    int minor,
    long bytes,
    int multiprocessors,
    int clockKilohertz,
    int memoryClockKilohertz,
    int busBits,
    int driverVersion) {
  /** Return a version of CUDA as people write it. */
  static String version(int number) {
    return number / 1000 + "." + number % 1000 / 10;
  }

  /** Return the peak rates: two flops per core and clock, two transfers per memory clock. */
  PeakRates peakRates() {
    return new PeakRates(
        2.0 * coresOfMultiprocessor() * multiprocessors * clockKilohertz * 1e3,
        2.0 * memoryClockKilohertz * 1e3 * busBits / 8);
  }

  private int coresOfMultiprocessor() {
    return switch (major * 10 + minor) {
      case 60, 70, 72, 75, 80 -> 64;
      default -> 128;
    };
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s, %.1f GB, compute capability %d.%d, driver for CUDA %s",
        name,
        bytes / 1e9,
        major,
        minor,
        version(driverVersion));
  }
}
