package org.pecf.plugin.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.pecf.api.PecfException;

/**
 * The reason why DuckDB does not start. The driver unpacks its library to the temporary folder; if
 * that fails, it reports a damaged library, or nothing.
 */
final class StartFailure {
  /** The space for the largest of the driver's libraries, and a little more. */
  private static final long LIBRARY_BYTES = 128L << 20;

  private StartFailure() {}

  /** Create the report. */
  static PecfException of(Path temporaryFolder, Throwable cause) {
    return of(temporaryFolder, usableBytes(temporaryFolder), cause);
  }

  /**
   * Create the report.
   *
   * @param temporaryFolder the folder to which the library is unpacked
   * @param usableBytes the free space in it
   * @param cause the driver's exception
   */
  static PecfException of(Path temporaryFolder, long usableBytes, Throwable cause) {
    String problem = null;
    if (!Files.isDirectory(temporaryFolder)) {
      problem = "which does not exist";
    } else if (!Files.isWritable(temporaryFolder)) {
      problem = "which cannot be written to";
    } else if (usableBytes < LIBRARY_BYTES) {
      problem =
          "where %d MiB are free of the %d MiB that may be needed"
              .formatted(usableBytes >> 20, LIBRARY_BYTES >> 20);
    }
    if (problem == null) {
      return PecfException.unavailable(
              "DuckDB does not start on this machine: %s Use another format.", message(cause))
          .causedBy(cause);
    }
    return PecfException.resources(
            "DuckDB does not start: it unpacks its library to the temporary folder %s, %s. Set"
                + " the Java property java.io.tmpdir to another folder.",
            temporaryFolder, problem)
        .causedBy(cause);
  }

  /** Return the innermost message: errors in loading classes have none of their own. */
  private static String message(Throwable cause) {
    String message = cause.getClass().getSimpleName();
    for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
      message = inner.getMessage() == null ? message : inner.getMessage();
    }
    return DuckDb.oneLine(message);
  }

  private static long usableBytes(Path folder) {
    try {
      return Files.getFileStore(folder).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
