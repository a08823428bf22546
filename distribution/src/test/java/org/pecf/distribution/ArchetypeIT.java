package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.distribution.Distribution.Outcome;

/** The projects that the archetype generates, one of each kind, built and used. */
class ArchetypeIT {
  private static final List<String> KINDS =
      List.of("filter", "weighting", "alpha", "backend", "loader");

  @TempDir private Path folder;

  private PluginBuild project(String kind) {
    Path project =
        Path.of(System.getProperty("pecf.generated"), kind, "project", "example-" + kind);
    return new PluginBuild(project, List.of(), folder);
  }

  /** The projects of filter and loader are generated with the default package. */
  @ParameterizedTest
  @CsvSource({
    "filter, com.example.examplefilter.MyFilter",
    "weighting, com.example.weighting.MyWeighting",
    "alpha, com.example.alpha.MyAlpha",
    "backend, com.example.backend.MyBackend",
    "loader, com.example.exampleloader.MyLoader"
  })
  void everyKindKeepsItsContract(String kind, String name) throws Exception {
    Path jar = project(kind).jar(folder.resolve("example-" + kind + ".jar"));

    int succeeded = project(kind).test(jar, name + "Test");

    assertTrue(succeeded >= 8, "only " + succeeded);
  }

  @Test
  void allKindsWorkTogether() throws Exception {
    List<String> verify = new ArrayList<>(List.of("plugins", "verify"));
    for (String kind : KINDS) {
      verify.add(project(kind).jar(folder.resolve("plugins/example-" + kind + ".jar")).toString());
    }
    Outcome verified = Distribution.in(folder).run(verify.toArray(String[]::new)).expectExit(0);
    assertEquals(
        KINDS.size(),
        verified.out().lines().filter(line -> line.matches("ok +SPI version .*")).count(),
        verified.out());

    Outcome run =
        Distribution.in(folder)
            .run(
                "--plugins",
                "plugins",
                "--data",
                ratings().toString(),
                "--split",
                "positives:8:1:1",
                "--filter",
                "example-filter",
                "--weighting",
                "example-weighting",
                "--alpha",
                "example-alpha",
                "--backend",
                "example-backend",
                "--rank",
                "2",
                "--iterations",
                "2",
                "--rounds",
                "1",
                "--cutoffs",
                "5")
            .expectExit(0);

    assertTrue(run.err().contains("example-filter joined"), run.err());
    String recall =
        run.out().lines().filter(line -> line.startsWith("recall ")).findFirst().orElseThrow();
    double test = Double.parseDouble(recall.substring(recall.lastIndexOf(' ') + 1));
    assertTrue(test > 0.8, "two tastes are easy to tell apart: " + run.out());
  }

  /** Write ratings in the format of the generated loader, which recognises it by its mark. */
  private Path ratings() throws IOException {
    List<String> lines = new ArrayList<>(List.of("ratings example-loader"));
    for (int user = 0; user < 30; user++) {
      for (int item = 0; item < 20; item++) {
        if ((user + item) % 2 == 0 && (user * 7 + item * 3) % 5 != 0) {
          lines.add("u" + user + "\ti" + item + "\t1");
        }
      }
    }
    return Files.write(folder.resolve("ratings.txt"), lines);
  }
}
