package org.pecf.cli.command;

import org.pecf.api.PecfException;

/**
 * The size of the Java heap. With less than plugins need to load, classes fail to load here and
 * there, and what is reported is a missing backend or a defect.
 */
final class HeapSize {
  private static final long LEAST_BYTES = 20L << 20;

  private HeapSize() {}

  /** Refuse a heap that may not grow large enough for any work. */
  static void check(long mostBytes) {
    if (mostBytes < LEAST_BYTES) {
      throw PecfException.resources(
          "The Java heap may take %s MiB only, which is too little. Raise it to 32 MiB or more,"
              + " for example with PECF_JAVA_OPTS=-Xmx1g.",
          (mostBytes >> 20));
    }
  }
}
