package org.pecf.plugin.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class StartFailureTest {
  private static final long ROOM = 1L << 40;
  private static final String REMEDY = ". Set the Java property java.io.tmpdir to another folder.";

  @TempDir private Path folder;

  private static void check(Path folder, long usableBytes, String problem) {
    PecfException failure = StartFailure.of(folder, usableBytes, new IOException("it is damaged"));
    assertEquals(ErrorCode.RESOURCES, failure.code());
    assertEquals(
        "DuckDB does not start: it unpacks its library to the temporary folder "
            + folder
            + ", "
            + problem
            + REMEDY,
        failure.getMessage());
  }

  @Test
  void temporaryFolderThatIsMissingOrFullIsNamed() {
    check(folder.resolve("missing"), ROOM, "which does not exist");
    check(folder, 3 << 20, "where 3 MiB are free of the 128 MiB that may be needed");
  }

  @Test
  void temporaryFolderThatCannotBeWrittenToIsNamed() throws IOException {
    Path locked = Files.createDirectory(folder.resolve("locked"));
    assumeTrue(locked.toFile().setWritable(false));
    try {
      assumeFalse(Files.isWritable(locked), "root may write everywhere");
      check(locked, ROOM, "which cannot be written to");
    } finally {
      locked.toFile().setWritable(true);
    }
  }

  @Test
  void otherwiseTheInnermostMessageIsReported() {
    Error error = new ExceptionInInitializerError(new IOException("no such\n  library"));
    PecfException failure = StartFailure.of(folder, ROOM, error);
    assertEquals(ErrorCode.UNAVAILABLE, failure.code());
    assertEquals(
        "DuckDB does not start on this machine: "
            + DuckDb.oneLine("no such library")
            + " Use another format.",
        failure.getMessage());
    assertEquals(
        "DuckDB does not start on this machine: "
            + DuckDb.oneLine("NoClassDefFoundError")
            + " Use another format.",
        StartFailure.of(folder, ROOM, new NoClassDefFoundError()).getMessage());
  }
}
