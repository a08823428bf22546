package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.archive.Digest;

/** Verify and list on the command line. */
class PluginToolsTest extends RecordedApplication {
  @TempDir static Path shelf;
  private static Path acme;

  @TempDir private Path home;

  /** Compile a weighting scheme that is a plain jar: it works however the tests are run. */
  @BeforeAll
  static void buildPlugin() throws IOException {
    Path source =
        Files.writeString(
            shelf.resolve("Acme.java"),
            """
            package acme;

            import org.pecf.api.ensemble.*;
            import org.pecf.api.plugin.*;

            public final class Acme implements WeightingSchemeProvider<NoOptions> {
              @Override
              public ProviderDescription describe() {
                return new ProviderDescription("acme", "Weighs plainly", SpiVersion.CURRENT);
              }

              @Override
              public OptionSchema<NoOptions> options() {
                return NoOptions.schema();
              }

              @Override
              public WeightingScheme create(NoOptions options) {
                return (state, kernels) -> state.confidence();
              }
            }
            """);
    Path classes = shelf.resolve("classes");
    String path =
        String.join(
            System.getProperty("path.separator"),
            System.getProperty("jdk.module.path", ""),
            System.getProperty("java.class.path", ""));
    int code =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-proc:none",
                "-nowarn",
                "-cp",
                path,
                "-d",
                classes.toString(),
                source.toString());
    assertEquals(0, code);
    acme = shelf.resolve("acme.jar");
    try (OutputStream file = Files.newOutputStream(acme);
        JarOutputStream jar = new JarOutputStream(file)) {
      jar.putNextEntry(new JarEntry("acme/Acme.class"));
      Files.copy(classes.resolve("acme/Acme.class"), jar);
      jar.putNextEntry(
          new JarEntry("META-INF/services/org.pecf.api.ensemble.WeightingSchemeProvider"));
      jar.write("acme.Acme\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  @BeforeEach
  void startDistribution() throws IOException {
    Files.createDirectory(home.resolve("plugins"));
    Files.createDirectory(home.resolve("conf"));
    System.setProperty("pecf.home", home.toString());
  }

  @AfterEach
  void endDistribution() {
    System.clearProperty("pecf.home");
  }

  @Test
  void aPluginNamedWithAnIdThatIsTakenIsNotUsedAndTheCommandSaysSo() throws IOException {
    Path shipped = Files.copy(acme, home.resolve("plugins").resolve("shipped.jar"));
    Path named = Files.copy(acme, home.resolve("rival.jar"));

    assertEquals(0, execute("plugins", "describe", "acme", "--plugins", named.toString()), err());

    assertTrue(
        err()
            .contains(
                "pecf-run: warning: %s is not used for weighting acme, which %s offers already."
                    .formatted(named, shipped)),
        err());
    assertTrue(out().contains("shipped.jar"), out());
  }

  private void assertLine(String pattern) {
    assertTrue(out().lines().anyMatch(line -> line.matches(pattern)), pattern + " in " + out());
  }

  @Test
  void verifyPrintsALineForEachCheck() throws IOException {
    assertEquals(0, execute("plugins", "verify", acme.toString()), err());

    assertLine("\\Q" + acme + "\\E");
    assertLine("warning +SPI version +acme.jar does not record the version .*");
    assertLine("ok +digest +SHA-256 " + Digest.of(acme));
  }

  @Test
  void verifyEndsWithCodeThreeForAProblemInAnyPlugin() throws IOException {
    Path wreck = Files.writeString(home.resolve("wreck.jar"), "nothing");

    assertEquals(3, execute("plugins", "verify", wreck.toString(), acme.toString()));

    assertLine("error +module +.*wreck.jar is named like a jar but is not one\\. .*");
    assertLine("ok +services +acme.jar provides acme.Acme");
  }

  @Test
  void verifyNeedsAPlugin() {
    assertEquals(2, execute("plugins", "verify"));
    assertTrue(err().contains("Name the JAR|FOLDER"), err());
  }

  @Test
  void listExplainsAPluginThatCannotBeUsed() throws IOException {
    Files.writeString(home.resolve("plugins/wreck.jar"), "PK");
    assertEquals(0, execute("plugins", "list"), err());
    assertLine("error: .*wreck\\.jar: .*");
  }

  @Test
  void onlyTrustedPluginsAreLoadedIfSoAsked() throws IOException {
    Files.copy(acme, home.resolve("plugins/acme.jar"));
    Path list = home.resolve("conf/trusted-plugins");

    assertEquals(0, execute("plugins", "list", "--trusted-only"));
    assertLine("- +- .* untrusted +acme.jar");
    assertLine("error: .*acme.jar was left out.*" + Digest.of(acme) + "\\.");

    Files.writeString(list, "strict\n");
    assertEquals(0, execute("plugins", "list"));
    assertLine("- +- .* untrusted +acme.jar");

    Files.writeString(list, "strict\n" + Digest.of(acme) + "\n");
    assertEquals(0, execute("plugins", "list", "--trusted-only"));
    assertLine("acme +weighting .* loaded +acme.jar");

    Files.writeString(list, "0".repeat(64));
    assertEquals(0, execute("plugins", "list"));
    assertLine("acme +weighting .* loaded +acme.jar");
    assertLine("warning: .*acme.jar is not among the trusted plugins.*");

    Files.writeString(list, "acme.jar");
    assertEquals(2, execute("plugins", "list"));
    assertTrue(err().contains("trusted-plugins, line 1: 'acme.jar' is not a SHA-256"), err());
  }

  /** A contract runs the plugin's code. */
  @Test
  void contractsAreNotRunOnWhatIsNotTrusted() throws IOException {
    Path list = Files.createDirectories(home.resolve("conf")).resolve("trusted-plugins");
    Files.writeString(list, "strict\n");
    assertEquals(3, execute("plugins", "verify", "--contract", acme.toString()));
    assertTrue(out().contains("the plugin was not run: only trusted plugins are"), out());

    Files.writeString(list, "strict\n" + Digest.of(acme) + "\n");
    assertEquals(3, execute("plugins", "verify", "--contract", acme.toString()));
    assertTrue(err().contains("Contracts are run by the libraries in"), "it would be: " + err());
  }
}
