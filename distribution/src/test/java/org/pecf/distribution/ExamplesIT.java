package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.distribution.Distribution.Outcome;

/** Build the examples, drop them into a plugins folder, and use them. */
class ExamplesIT {
  @TempDir private Path folder;

  private static Path example(String name) {
    return Path.of(System.getProperty("pecf.examples"), name);
  }

  private static List<Path> libraries() throws IOException {
    try (Stream<Path> jars = Files.list(Path.of(System.getProperty("pecf.example.libraries")))) {
      return jars.sorted().toList();
    }
  }

  private Outcome run(String... arguments) throws Exception {
    return Distribution.in(folder).run(arguments).expectExit(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"openblas", "ejml"})
  void weightingSchemeOfAStrangerRunsOnEveryBackend(String library) throws Exception {
    Path jar =
        new PluginBuild(example("weighting-focal"), List.of(), folder)
            .jar(folder.resolve("plugins/weighting-focal-1.0.jar"));

    Outcome verified = run("plugins", "verify", jar.toString());
    assertTrue(
        verified.out().contains("weighting-focal-1.0.jar provides com.example.focal.FocalProvider"),
        verified.out());
    Outcome trained =
        run(
            "--plugins",
            "plugins",
            "--weighting",
            "focal",
            "--set",
            "focal.gamma=2",
            "--backend",
            "cpu",
            "--set",
            "cpu.library=" + library,
            "--rank",
            "4",
            "--iterations",
            "2",
            "--rounds",
            "2",
            "--cutoffs",
            "20");

    assertTrue(
        trained.out().lines().anyMatch(line -> line.matches("recall( +0\\.\\d{4}){2}")),
        trained.out());
  }

  private void installPureSvd() throws IOException {
    Path plugin = folder.resolve("plugins/filter-pure-svd");
    new PluginBuild(example("filter-pure-svd"), libraries(), folder)
        .jar(plugin.resolve("filter-pure-svd-1.0.jar"));
    for (Path library : libraries()) {
      Files.copy(library, plugin.resolve(library.getFileName()));
    }
  }

  /** Its fitter is in the plugin, the rest of a stored model is not. */
  @Test
  void filterOfAStrangerTakesInNewUsersInItsOwnWay() throws Exception {
    installPureSvd();
    String training =
        "--plugins plugins --filter pure-svd --construction single --rank 5 --effort none --out"
            + " model";
    run(training.split(" "));
    String newUser = "recommend model --items 1,2,3 --top 4 --output-format csv";
    String list = run((newUser + " --plugins plugins").split(" ")).out();
    assertEquals(5, list.lines().count(), list);
    run("recommend", "model", "--user", "3", "--top", "4");
    Outcome refused = Distribution.in(folder).run(newUser.split(" ")).expectExit(3);
    assertTrue(
        refused
            .err()
            .contains(
                "New users and items of this model are fitted by the plugin of filter 'pure-svd',"
                    + " so put it among the plugins."),
        refused.err());
  }

  @Test
  void librariesOfTwoVersionsRunBesideEachOther() throws Exception {
    installPureSvd();
    assertEquals(2, libraries().size());
    Path backend = Distribution.built().resolve("plugins/plugin-backend-cpu");
    try (Stream<Path> jars = Files.list(backend)) {
      List<String> cores =
          jars.map(jar -> jar.getFileName().toString())
              .filter(name -> name.startsWith("ejml-core-"))
              .toList();
      assertEquals(1, cores.size());
      assertTrue(!cores.contains("ejml-core-0.43.1.jar"), "the versions must differ");
    }

    Outcome described = run("plugins", "describe", "pure-svd", "--plugins", "plugins");
    assertTrue(described.out().contains("with EJML 0.43.1"), described.out());
    Outcome trained =
        run(
            "--plugins",
            "plugins",
            "--filter",
            "pure-svd",
            "--construction",
            "bagging",
            "--rounds",
            "1",
            "--rank",
            "5",
            "--backend",
            "cpu",
            "--set",
            "cpu.library=ejml",
            "--cutoffs",
            "20");
    assertTrue(trained.err().contains("pure-svd joined"), trained.err());
    assertTrue(
        trained.out().lines().anyMatch(line -> line.matches("recall( +0\\.\\d{4}){2}")),
        trained.out());
  }

  /** The poms of the examples name the version that they are shipped with. */
  @Test
  void examplesAreForThisVersion() throws IOException {
    for (String name : List.of("weighting-focal", "filter-pure-svd")) {
      String pom = Files.readString(example(name).resolve("pom.xml"));
      assertTrue(
          pom.contains("<pecf.version>" + System.getProperty("pecf.version") + "</pecf.version>"),
          name);
    }
  }
}
