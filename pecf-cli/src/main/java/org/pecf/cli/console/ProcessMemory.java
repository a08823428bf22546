package org.pecf.cli.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory that this process takes. */
public final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  private ProcessMemory() {}

  /**
   * Return the bytes in physical memory where the system tells them, else those of the Java heap.
   */
  public static long bytes() {
    try {
      for (String line : Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(RESIDENT)) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // The system does not tell.
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
