package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.distribution.Distribution.Outcome;

/**
 * Runs that are asked to stop. Each would go on for hours, so that it ends at all shows that it
 * heeded.
 */
class InterruptionIT {
  private static final int INT = 2;
  private static final int TERM = 15;
  private static final String ENDLESS = "--rounds 5000 --rank 6 --iterations 3";

  @TempDir private Path folder;

  private Path out() {
    return folder.resolve("said.out");
  }

  private Path err() {
    return folder.resolve("said.err");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /**
   * Start a run, signal to it when it has said something, and return its exit code.
   *
   * @param moment a part of its standard error
   * @param signals the number of signals
   */
  private int interrupt(String moment, int signals, String arguments) throws Exception {
    return interrupt(process -> read(err()).contains(moment), signals, arguments);
  }

  private int interrupt(Predicate<Process> moment, int signals, String arguments) throws Exception {
    Process process = Distribution.in(folder).start(out(), err(), arguments.split(" "));
    try {
      while (!moment.test(process)) {
        assertTrue(process.isAlive(), () -> read(err()));
        Thread.sleep(20);
      }
      String pid = Long.toString(process.pid());
      for (int k = 0; k < signals; k++) {
        new ProcessBuilder("kill", "-" + heededSignal(), pid).start().waitFor();
      }
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Return the number of the signal to interrupt with: INT, unless it is ignored here, as in the
   * background of a shell, and so by all processes started from here; TERM then.
   */
  static int heededSignal() throws IOException {
    Path status = Path.of("/proc/self/status");
    boolean ignored =
        Files.exists(status)
            && Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                .anyMatch(mask -> (mask >> INT - 1 & 1) == 1);
    return ignored ? TERM : INT;
  }

  private JsonNode manifest(String model) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(model).resolve("manifest.json").toFile());
  }

  private Map<String, String> bytes(String model) throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder.resolve(model))) {
      for (Path file : files.toList()) {
        bytes.put(file.getFileName().toString(), Arrays.toString(Files.readAllBytes(file)));
      }
    }
    return bytes;
  }

  /** Two rounds are finished, all never would be soon. The second signal changes nothing. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void finishedMembersAreKept(int signals) throws Exception {
    int code = interrupt("member 2/5001: wmf joined", signals, ENDLESS + " --out model");
    assertEquals(128 + heededSignal(), code, () -> read(err()));
    assertTrue(read(out()).contains("interrupted; "), () -> read(out()));
    assertFalse(manifest("model").at("/complete").asBoolean());
    assertTrue(manifest("model").at("/members").size() >= 2);
    Outcome recommended =
        Distribution.in(folder).run("recommend", "model", "--user", "5", "--top", "3");
    assertEquals(5, recommended.expectExit(0).out().lines().count(), "a header, a rule, 3 items");
    for (String command : List.of("recommend model --user 5", "evaluate model")) {
      Outcome warned = Distribution.in(folder).run(command.split(" ")).expectExit(0);
      assertTrue(
          warned.err().contains("warning: model is incomplete: its training was interrupted"),
          warned.err());
    }
  }

  @Test
  void nothingIsPromisedThatIsNotKept() throws Exception {
    interrupt("backend cpu", 1, "--rank 6 --iterations 100000 --out model");
    assertFalse(Files.exists(folder.resolve("model")));
    assertTrue(read(err()).contains("nothing is kept"), () -> read(err()));
    assertFalse(read(err()).contains("now is kept"), () -> read(err()));
  }

  @Test
  void anInterruptedReplacementKeepsTheWholeModelThatWasThere() throws Exception {
    String whole = "--rounds 1 --rank 6 --iterations 3 --out model --overwrite";
    Distribution.in(folder).run(whole.split(" ")).expectExit(0);
    Map<String, String> before = bytes("model");
    interrupt("member 2/5001: wmf joined", 1, ENDLESS + " --out model --overwrite");
    assertEquals(before, bytes("model"));
    assertFalse(manifest("model.partial").at("/complete").asBoolean());
    Outcome evaluated = Distribution.in(folder).run("evaluate", "model").expectExit(0);
    assertFalse(evaluated.err().contains("incomplete"), evaluated.err());

    // A run that comes to its end leaves nothing of those that did not.
    Distribution.in(folder).run((whole + " --seed 2").split(" ")).expectExit(0);
    assertEquals(2, manifest("model").at("/seed").asInt());
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(
          List.of("model", "said.err", "said.out"),
          left.map(path -> path.getFileName().toString()).sorted().toList());
    }
  }

  /** Return whether a thread of a JVM is in a native function. */
  private boolean isIn(String function, Process process) {
    Path stacks = folder.resolve("stacks");
    try {
      new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
              Long.toString(process.pid()),
              "Thread.print")
          .redirectErrorStream(true)
          .redirectOutput(stacks.toFile())
          .start()
          .waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return read(stacks).contains("openblas_full." + function + "(");
  }

  /**
   * Calls that take seconds, one for each library function that a run spends long in: nothing may
   * be freed under them, so the process dies of the signal. Calls that take less end by themselves
   * before anybody could interrupt them on purpose.
   */
  @ParameterizedTest
  @CsvSource({
    "LAPACK_spotrf_base, --filter ease --construction single",
    "LAPACK_spotri_base, --filter ease --construction single",
    "cblas_ssyrk, --rank 3000 --iterations 1",
    "cblas_sgemm, --rank 3000 --iterations 1",
    "LAPACK_ssyevd_base, --rank 2000 --iterations 1"
  })
  void noNativeCallIsCutOffInACrash(String function, String arguments) throws Exception {
    Random random = new Random(1);
    try (PrintWriter data = new PrintWriter(folder.resolve("data.csv").toFile(), "UTF-8")) {
      data.println("user,item");
      for (int k = 0; k < 60_000; k++) {
        data.println("u" + k % 12_000 + ",i" + (k < 9_000 ? k : random.nextInt(9_000)));
      }
    }
    int code =
        interrupt(
            process -> isIn(function, process),
            1,
            "--data data.csv --split none --effort none --out model " + arguments);
    assertEquals(128 + heededSignal(), code, () -> read(err()));
    assertFalse(read(err()).contains("SIG") || read(out()).contains("SIG"), () -> read(out()));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(0, files.filter(file -> file.toString().contains("hs_err")).count());
    }
  }
}
