package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/** The CUDA backend as it is shipped: without a device, without its folder, and on the stand-in. */
class CudaIT {
  private static final String[] SMALL = {
    "--data", "ratings.csv", "--positive", ">=4", "--construction", "progressive", "--rounds", "2",
    "--rank", "3", "--iterations", "2", "--seed", "5", "--metrics-json", "metrics.json"
  };

  @TempDir Path folder;

  private void writeRatings() throws IOException {
    StringBuilder ratings = new StringBuilder("user,item,rating\n");
    for (int user = 0; user < 24; user++) {
      for (int item = 0; item < 18; item++) {
        if ((user * 7 + item * 5) % 6 < 2) {
          ratings.append("u" + user + ",i" + item + "," + (2 + (user + item) % 4) + "\n");
        }
      }
    }
    Files.writeString(folder.resolve("ratings.csv"), ratings);
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
  }

  private static boolean hasDriver() throws Exception {
    return new ProcessBuilder("sh", "-c", "/sbin/ldconfig -p | grep -q libcuda.so.1")
            .start()
            .waitFor()
        == 0;
  }

  @Test
  void withoutADriverItSaysSoAndAutoFallsBack() throws Exception {
    Assumptions.assumeFalse(hasDriver(), "this machine has an NVIDIA driver");
    writeRatings();
    Distribution distribution = Distribution.in(folder);
    List<String> backends = distribution.run("backends").expectExit(0).out().lines().toList();
    assertTrue(backends.stream().anyMatch(line -> line.startsWith("cpu   yes")), backends + "");
    assertTrue(
        backends.stream().anyMatch(line -> line.startsWith("cuda  no         There is no NVIDIA")),
        backends + "");
    Outcome asked = distribution.run(with(SMALL, "--backend", "cuda")).expectExit(3);
    assertEquals(
        "pecf-run: error: Backend cuda cannot be used here. There is no NVIDIA driver (libcuda does"
            + " not load). Install one for CUDA 12.0 or later, or use the cpu backend.",
        asked.err().strip(),
        "nothing is read before");
    distribution.run("backends", "selftest", "cuda").expectExit(3);
    Outcome small = distribution.run(SMALL).expectExit(0);
    assertFalse(small.err().contains("cuda"), small.err());
    String[] large = {
      "--data", "builtin:citeulike", "--construction", "single", "--rank", "2", "--iterations", "1"
    };
    Outcome automatic = distribution.run(large).expectExit(0);
    assertTrue(
        automatic.err().contains("; not cuda: There is no NVIDIA driver (libcuda does not load)"),
        automatic.err());
  }

  @Test
  void withoutItsFolderEverythingElseWorks() throws Exception {
    writeRatings();
    Path copy = folder.resolve("copy");
    Distribution.copy(Distribution.built(), copy);
    try (Stream<Path> paths = Files.walk(copy.resolve("plugins/plugin-backend-cuda"))) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
    Distribution distribution = Distribution.in(folder).launchedBy(copy.resolve("bin/pecf-run"));
    Outcome run = distribution.run(SMALL).expectExit(0);
    assertTrue(run.err().contains("backend cpu"), run.err());
    assertFalse(run.err().contains("cuda"), run.err());
    assertFalse(distribution.run("backends").expectExit(0).out().contains("cuda"));
    Outcome asked = distribution.run(with(SMALL, "--backend", "cuda")).expectExit(3);
    assertTrue(asked.err().contains("There is no backend 'cuda'"), asked.err());
  }

  /** What the module's tests built: libraries named as NVIDIA's, on this processor. */
  private static Path standIn() {
    Path built =
        Path.of(System.getProperty("pecf.root"), "plugin-backend-cuda", "target", "standin")
            .toAbsolutePath()
            .normalize();
    Assumptions.assumeTrue(
        Files.exists(built.resolve("built-from")), "the stand-in for CUDA was not built");
    return built;
  }

  @Test
  void trainingOnTheStandInEndsWhereThatOnTheCpuDoes() throws Exception {
    writeRatings();
    Distribution distribution = Distribution.in(folder);
    // The two do not choose the same path by themselves.
    String[] dense = with(SMALL, "--path", "dense");
    distribution.run(with(dense, "--backend", "cpu")).expectExit(0);
    String cpu = Files.readString(folder.resolve("metrics.json"));
    Outcome run =
        distribution
            .with("LD_LIBRARY_PATH", standIn().toString())
            .run(with(dense, "--backend", "cuda"))
            .expectExit(0);
    assertTrue(run.err().contains("backend cuda: Stand-in device 0"), run.err());
    String cuda = Files.readString(folder.resolve("metrics.json"));
    for (String metric : List.of("recall@50", "ndcg@50", "wmse")) {
      List<Double> expected = values(cpu, metric);
      List<Double> actual = values(cuda, metric);
      assertFalse(expected.isEmpty(), metric);
      assertEquals(expected.size(), actual.size(), metric);
      for (int k = 0; k < expected.size(); k++) {
        assertEquals(expected.get(k), actual.get(k), 2e-3, metric);
      }
    }
  }

  private static List<Double> values(String json, String metric) {
    Matcher matcher =
        Pattern.compile("\"" + Pattern.quote(metric) + "\"\\s*:\\s*([-+.0-9eE]+)").matcher(json);
    return matcher.results().map(found -> Double.valueOf(found.group(1))).toList();
  }

  @Test
  void selftestPassesOnTheStandIn() throws Exception {
    String text =
        Distribution.in(folder)
            .with("LD_LIBRARY_PATH", standIn().toString())
            .run("backends", "selftest", "cuda", "--small")
            .expectExit(0)
            .out();
    assertTrue(text.contains("self-test of backend cuda"), text);
    assertTrue(text.matches("(?s).*compared with cpu.*dense half-sweep of items.* ok\\R.*"), text);
    assertTrue(text.matches("(?s).*ok +contract +.*: \\d+ rules of its contract are kept.*"), text);
  }
}
