package org.pecf.plugin.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.pecf.api.PecfException;

/**
 * The reason why DuckDB does not start. Its driver unpacks its library to the temporary folder, and
 * where that fails, speaks of a damaged library or of nothing.
 */
final class StartFailure {
  /** What the largest of the driver's libraries takes, and a little more. */
  private static final long LIBRARY_BYTES = 128L << 20;

  private StartFailure() {}

  /** Return what to throw. */
  static PecfException of(Path temporaryFolder, Throwable cause) {
    return of(temporaryFolder, usableBytes(temporaryFolder), cause);
  }

  /**
   * Return what to throw.
   *
   * @param temporaryFolder where the library is unpacked
   * @param usableBytes how much room there is in it
   * @param cause what the driver said
   */
  static PecfException of(Path temporaryFolder, long usableBytes, Throwable cause) {
    String problem = null;
    if (!Files.isDirectory(temporaryFolder)) {
      problem = "which does not exist";
    } else if (!Files.isWritable(temporaryFolder)) {
      problem = "which cannot be written to";
    } else if (usableBytes < LIBRARY_BYTES) {
      problem =
          "where "
              + (usableBytes >> 20)
              + " MB are left of the "
              + (LIBRARY_BYTES >> 20)
              + " MB that may be needed";
    }
    if (problem == null) {
      return PecfException.unavailable("DuckDB does not start on this machine: %s", said(cause))
          .causedBy(cause);
    }
    return PecfException.resources(
            "DuckDB does not start: it unpacks its library to the temporary folder %s, %s. Name"
                + " another folder with PECF_JAVA_OPTS=-Djava.io.tmpdir=FOLDER.",
            temporaryFolder, problem)
        .causedBy(cause);
  }

  /** Return the innermost message: errors of loading classes have none of their own. */
  private static String said(Throwable cause) {
    String said = cause.getClass().getSimpleName();
    for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
      said = inner.getMessage() == null ? said : inner.getMessage();
    }
    return OneLine.of(said);
  }

  private static long usableBytes(Path folder) {
    try {
      return Files.getFileStore(folder).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
