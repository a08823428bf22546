package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/**
 * Writes that fail in the middle, as on a full disk: the shell limits the size of the files that a
 * process may write. Every failure is one line and an exit code, and leaves nothing half-written.
 */
class FullDiskIT {
  /** The limit in the shell's blocks of 512 or 1024 bytes; locks and logs have less. */
  private static final int BLOCKS = 256;

  private static final String MODEL = "--rank 200 --rounds 1 --iterations 1 --out model";

  @TempDir private Path folder;
  private Distribution limited;

  @BeforeEach
  void limit() throws IOException {
    Path launcher = Distribution.in(folder).launcher();
    Path script = folder.resolve("limited");
    Files.writeString(
        script, "#!/bin/sh\nulimit -f " + BLOCKS + "\nexec '" + launcher + "' \"$@\"\n");
    Assumptions.assumeTrue(script.toFile().setExecutable(true), "this system has no shell scripts");
    // Java's own file of figures about itself is written in another way.
    limited = Distribution.in(folder).launchedBy(script).with("PECF_JAVA_OPTS", "-XX:-UsePerfData");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String lastLine(Outcome outcome) {
    return outcome.err().lines().reduce((earlier, later) -> later).orElse("");
  }

  /** The checkpoint fails first, which costs nothing but the checkpoint. */
  @Test
  void aModelThatDoesNotFitLeavesTheOldOne() throws Exception {
    Outcome failed = limited.run(MODEL.split(" ")).expectExit(2);
    assertTrue(
        lastLine(failed).startsWith("pecf-run: error: The model could not be written to model ("),
        failed.err());
    assertFalse(failed.err().contains("Exception"), failed.err());
    assertFalse(Files.exists(folder.resolve("model")));
    assertTrue(names().stream().noneMatch(name -> name.contains(".writing-")), names().toString());

    Distribution.in(folder).run((MODEL + " --overwrite").split(" ")).expectExit(0);
    byte[] before = Files.readAllBytes(folder.resolve("model/manifest.json"));
    limited.run((MODEL + " --overwrite --seed 2").split(" ")).expectExit(2);
    assertEquals(
        new String(before), Files.readString(folder.resolve("model/manifest.json")), "unchanged");
    Distribution.in(folder).run("evaluate", "model").expectExit(0);
  }

  @Test
  void otherFilesAreAllThereOrNot() throws Exception {
    StringBuilder rows = new StringBuilder("user,item,rating\n");
    for (int k = 0; k < 60_000; k++) {
      rows.append(k % 300).append(',').append(k / 300).append(",5\n");
    }
    Files.writeString(folder.resolve("ratings.csv"), rows);
    Distribution.in(folder)
        .run("--data ratings.csv --rank 2 --rounds 1 --iterations 1 --out model".split(" "))
        .expectExit(0);
    List<String> before = names();
    for (String command :
        List.of(
            "data convert ratings.csv new.csv",
            "data convert ratings.csv new.arrow",
            "recommend model --all-users --top 200 --include-known --out new.csv",
            "recommend model --all-users --top 200 --include-known --out new.jsonl",
            "recommend model --all-users --top 200 --include-known --out new.arrow")) {
      Outcome failed = limited.run(command.split(" ")).expectExit(2);
      assertTrue(lastLine(failed).startsWith("pecf-run: error: "), failed.err());
      assertFalse(failed.err().contains("Exception"), failed.err());
      assertEquals(before, names(), command);
    }
    Distribution.in(folder)
        .run("recommend model --all-users --top 3 --out small.parquet".split(" "))
        .expectExit(0);
    // The library of DuckDB cannot be unpacked.
    Outcome failed = limited.run("data", "describe", "--data", "small.parquet");
    assertTrue(failed.exitCode() == 2 || failed.exitCode() == 3, failed.err());
    assertTrue(lastLine(failed).startsWith("pecf-run: error: DuckDB does not start"), failed.err());
    assertFalse(lastLine(failed).contains("null"), failed.err());
  }

  @Test
  void standardOutputThatIsFullIsToldByTheExitCode() throws Exception {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.isWritable(full), "this system has no /dev/full");
    Distribution.in(folder)
        .run("--rank 2 --rounds 1 --iterations 1 --out model".split(" "))
        .expectExit(0);
    for (String command :
        List.of(
            "--version",
            "recommend model --user 5",
            "recommend model --all-users --output-format csv",
            "explain model --user 5",
            "similar model --item 5",
            "evaluate model",
            "data describe --data builtin:demo",
            "--rank 2 --rounds 1 --iterations 1")) {
      Path err = folder.resolve("err");
      Process process = Distribution.in(folder).start(full, err, command.split(" "));
      assertEquals(2, process.waitFor(), () -> command);
      assertTrue(
          Files.readString(err).contains("the results could not all be written"),
          Files.readString(err));
    }
  }
}
