package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/** Drop plugins into a distribution that has never heard of them. */
class PluginsIT {
  private static final String MODULE =
      """
      module com.example.popularity {
        requires org.pecf.api;
        provides org.pecf.api.filter.BaseFilterProvider with com.example.popularity.Popularity;
      }
      """;

  private static final String PROVIDER =
      """
      package com.example.popularity;

      import java.lang.invoke.MethodHandles;
      import java.util.Set;
      import org.pecf.api.filter.*;
      import org.pecf.api.memory.*;
      import org.pecf.api.plugin.*;

      /** Score items by how many users have them, to a power. */
      public final class Popularity implements BaseFilterProvider<Popularity.Options> {
        public record Options(
            @Option(value = "the power", defaultValue = "1", min = 0) double power) {}

        @Override
        public ProviderDescription describe() {
          return new ProviderDescription("crowd", "items that many have", SpiVersion.CURRENT);
        }

        @Override
        public OptionSchema<Options> options() {
          return OptionSchema.of(MethodHandles.lookup(), Options.class);
        }

        @Override
        public BaseFilter create(Options options) {
          return new BaseFilter() {
            @Override
            public Set<FilterCapability> capabilities() {
              return Set.of(FilterCapability.DETERMINISTIC);
            }

            @Override
            public long memoryEstimate(GridShape shape, int positives) {
              return 4L * (shape.users() + shape.items());
            }

            @Override
            public ScoreModel train(TrainingTask task, TrainingContext context) {
              FactorModel model = FactorModel.allocate(context.run().allocator(), task.shape(), 1);
              for (int user = 0; user < task.shape().users(); user++) {
                model.users().set(user, 0, 1);
              }
              for (int item = 0; item < task.shape().items(); item++) {
                double share = task.positives().itemCount(item) / (double) task.shape().users();
                model.items().set(item, 0, (float) Math.pow(share, options.power()));
              }
              return model;
            }
          };
        }
      }
      """;

  @TempDir private Path folder;

  /** Compile against the distribution's own lib/, as a stranger would, and pack a jar. */
  private Path strangersJar(Path plugins) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources/com/example/popularity"));
    Path root = folder.resolve("sources");
    Path classes = folder.resolve("classes");
    Path module = Files.writeString(root.resolve("module-info.java"), MODULE);
    Path provider = Files.writeString(sources.resolve("Popularity.java"), PROVIDER);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--release",
                "17",
                "--module-path",
                Distribution.built().resolve("lib").toString(),
                "-d",
                classes.toString(),
                module.toString(),
                provider.toString());
    assertEquals(0, code, "the stranger's plugin compiles");
    Path jar = plugins.resolve("crowd-1.0.jar");
    List<Path> files = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(classes)) {
      paths.filter(Files::isRegularFile).forEach(files::add);
    }
    try (OutputStream stream = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(stream)) {
      for (Path file : files) {
        packed.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, packed);
      }
    }
    return jar;
  }

  @Test
  void strangersPluginIsUsedByItsIdBesideABrokenOne() throws Exception {
    Path plugins = Files.createDirectory(folder.resolve("my plugins"));
    Path jar = strangersJar(plugins);
    byte[] whole = Files.readAllBytes(jar);
    Files.write(plugins.resolve("broken.jar"), Arrays.copyOf(whole, whole.length / 2));

    Outcome list =
        Distribution.in(folder).run("plugins", "list", "--plugins", "my plugins").expectExit(0);
    assertTrue(
        list.out().lines().anyMatch(line -> line.matches("crowd +filter .* loaded .*")),
        list.out());
    assertTrue(
        list.out().lines().anyMatch(line -> line.matches("- +- .* broken +broken.jar")),
        list.out());
    assertTrue(list.out().lines().anyMatch(line -> line.startsWith("error: ")), list.out());

    Outcome run =
        Distribution.in(folder)
            .run(
                "--plugins",
                "my plugins",
                "--filter",
                "crowd",
                "--construction",
                "single",
                "--set",
                "crowd.power=0.5",
                "--cutoffs",
                "20")
            .expectExit(0);
    assertTrue(run.err().contains("crowd joined"), run.err());
    assertTrue(run.out().lines().anyMatch(line -> line.matches("recall( +0\\.\\d{4}){2}")));
  }

  @Test
  void flagThatThePluginDoesNotKnowIsRefused() throws Exception {
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    strangersJar(plugins);
    Outcome outcome =
        Distribution.in(folder)
            .run("--plugins", "plugins", "--filter", "crowd", "--rank", "5")
            .expectExit(2);
    assertEquals(
        "pecf-run: error: Option 'rank' has no effect here: filter crowd has no option 'rank'. It"
            + " takes: power.\n",
        outcome.err());
  }

  @Test
  void flagsReachTheFiltersThatKnowThem() throws Exception {
    Outcome outcome =
        Distribution.in(folder)
            .run(
                "--filter",
                "wmf,popularity",
                "--rank",
                "3",
                "--iterations",
                "1",
                "--rounds",
                "1",
                "--metrics-json",
                "metrics.json")
            .expectExit(0);
    assertTrue(outcome.err().contains("popularity joined"), outcome.err());
    String metrics = Files.readString(folder.resolve("metrics.json"));
    assertTrue(metrics.replaceAll("\\s", "").contains("\"rank\":\"3\""), metrics);
  }

  @Test
  void contractsAreRunOnDemand() throws Exception {
    Outcome shipped =
        Distribution.in(folder)
            .run(
                "plugins",
                "verify",
                "--contract",
                Distribution.built().resolve("plugins/plugin-wmf").toString())
            .expectExit(0);
    assertTrue(
        shipped
            .out()
            .lines()
            .anyMatch(
                line ->
                    line.matches(
                        "ok +contract +WmfProvider: \\d\\d rules of its contract are kept")),
        shipped.out());
    for (String name : List.of("plugin-loaders", "plugin-duckdb", "plugin-related")) {
      Outcome others =
          Distribution.in(folder)
              .run(
                  "plugins",
                  "verify",
                  "--contract",
                  Distribution.built().resolve("plugins").resolve(name).toString())
              .expectExit(0);
      assertTrue(others.out().contains(" rules of its contract are kept"), others.out());
    }
    Path plugins = Files.createDirectory(folder.resolve("unproved"));
    Outcome stranger =
        Distribution.in(folder)
            .run("plugins", "verify", "--contract", strangersJar(plugins).toString())
            .expectExit(3);
    assertTrue(
        stranger.out().lines().anyMatch(line -> line.matches("error +contract .* is broken: .*")),
        stranger.out());
  }
}
