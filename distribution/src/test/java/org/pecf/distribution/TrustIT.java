package org.pecf.distribution;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/** Load plugins by a list of trusted ones, with the launcher that is shipped. */
class TrustIT {
  private static final String PROVIDER =
      """
      package com.example.step;

      import org.pecf.api.ensemble.*;
      import org.pecf.api.plugin.*;

      public final class Step implements AlphaStrategyProvider<NoOptions> {
        static {
          System.err.println("%s code runs");
        }

        @Override
        public ProviderDescription describe() {
          return new ProviderDescription("step", "takes equal steps", SpiVersion.CURRENT);
        }

        @Override
        public OptionSchema<NoOptions> options() {
          return NoOptions.schema();
        }

        @Override
        public AlphaStrategy create(NoOptions options) {
          return (state, kernels) -> 0.5;
        }
      }
      """;

  private static final String MODULE =
      """
      module com.example.step {
        requires org.pecf.api;
        provides org.pecf.api.ensemble.AlphaStrategyProvider with com.example.step.Step;
      }
      """;

  @TempDir private Path folder;
  private Path good;
  private Path evil;
  private Path list;

  @BeforeEach
  void install() throws IOException {
    good = jar("good");
    evil = jar("evil");
    Path home = Files.createDirectory(folder.resolve("home"));
    for (String part : List.of("lib", "plugins")) {
      Files.createSymbolicLink(home.resolve(part), Distribution.built().resolve(part));
    }
    Files.createDirectory(home.resolve("bin"));
    Files.copy(
        Distribution.built().resolve("bin/pecf-run"),
        home.resolve("bin/pecf-run"),
        COPY_ATTRIBUTES);
    list = Files.createDirectory(home.resolve("conf")).resolve("trusted-plugins");
    Files.createDirectory(folder.resolve("more"));
  }

  private Path jar(String kind) throws IOException {
    Path project = folder.resolve(kind);
    Path sources = Files.createDirectories(project.resolve("src/main/java/com/example/step"));
    Files.createDirectories(project.resolve("src/main/resources"));
    Files.writeString(sources.resolve("Step.java"), PROVIDER.formatted(kind));
    Files.writeString(project.resolve("src/main/java/module-info.java"), MODULE);
    return new PluginBuild(project, List.of(), folder).jar(folder.resolve(kind + ".jar"));
  }

  /** List the plugins, with copies of them kept in a home folder of the test's own. */
  private Outcome plugins() throws Exception {
    return Distribution.in(folder)
        .launchedBy(folder.resolve("home/bin/pecf-run"))
        .with("PECF_JAVA_OPTS", "-Duser.home=" + folder)
        .run("plugins", "list", "--plugins", "more");
  }

  private static String digest(Path jar) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
  }

  @Test
  void aJarThatIsReplacedAllTheTimeRunsNoOtherCode() throws Exception {
    Files.writeString(list, "strict\n" + digest(good) + "\n");
    Path place = folder.resolve("more/step.jar");
    Files.copy(good, place);
    assertTrue(plugins().expectExit(0).err().contains("good code runs"), "it is loaded");
    Files.copy(evil, place, REPLACE_EXISTING);
    assertFalse(plugins().expectExit(0).err().contains("code runs"), "it is left out");

    AtomicBoolean done = new AtomicBoolean();
    Thread attacker =
        new Thread(
            () -> {
              Path next = folder.resolve("next.jar");
              for (int turn = 0; !done.get(); turn++) {
                try {
                  Files.copy(turn % 2 == 0 ? evil : good, next, REPLACE_EXISTING);
                  Files.move(next, place, ATOMIC_MOVE, REPLACE_EXISTING);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    attacker.start();
    try {
      for (int attempt = 0; attempt < 12; attempt++) {
        Outcome outcome = plugins().expectExit(0);
        assertFalse(outcome.err().contains("evil code runs"), outcome.err());
      }
    } finally {
      done.set(true);
      attacker.join();
    }
  }

  @Test
  void aListThatNamesNobodySaysSo() throws Exception {
    Files.copy(evil, folder.resolve("more/step.jar"));
    Files.writeString(list, "# soon\n");
    Outcome empty = plugins().expectExit(2);
    assertTrue(
        empty.err().startsWith("pecf-run: error: " + list + " lists no plugin. "), empty.err());
    assertFalse(empty.err().contains("code runs"), empty.err());

    Files.delete(list);
    Files.createSymbolicLink(list, folder.resolve("gone"));
    Outcome dangling = plugins().expectExit(2);
    assertTrue(
        dangling.err().contains("trusted plugins, is a link to a file that does not exist"),
        dangling.err());
    assertEquals(1, dangling.err().lines().count(), dangling.err());
  }
}
