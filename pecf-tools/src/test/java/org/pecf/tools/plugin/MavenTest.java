package org.pecf.tools.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.platform.plugin.PluginCatalog;
import org.pecf.platform.plugin.PluginTrust;
import org.pecf.platform.plugin.ProviderChoice;
import org.pecf.testkit.fixture.AlphaPlugin;
import org.pecf.testkit.fixture.PluginJarBuilder;

/** Installing by coordinates, from a repository of files, with the Maven of this build. */
class MavenTest {
  private static final String TEST_DEPENDENCY =
      dependency("nowhere").replace("</dependency>", "<scope>test</scope></dependency>");

  @TempDir Path home;

  @ParameterizedTest
  @ValueSource(strings = {"", "acme", "org.acme:acme", "a:b:c:d", "a:b:c d", "a:b:<x>", "./a.jar"})
  void whatIsNotCoordinates(String text) {
    assertEquals(Optional.empty(), MavenCoordinates.parse(text));
  }

  @Test
  void coordinatesAreReadAndWritten() {
    assertEquals(
        Optional.of(new MavenCoordinates("org.acme", "acme-steps", "1.0-SNAPSHOT")),
        MavenCoordinates.parse("org.acme:acme-steps:1.0-SNAPSHOT"));
    assertEquals("a:b:1", new MavenCoordinates("a", "b", "1").toString());
  }

  @Test
  void aMachineWithoutMaven() {
    PecfException failure =
        assertThrows(
            PecfException.class, () -> Maven.find(Map.of("PATH", home.toString(), "M2_HOME", "")));

    assertEquals(ErrorCode.UNAVAILABLE, failure.code());
    assertTrue(failure.getMessage().contains("needs Maven"), failure.getMessage());
  }

  @Test
  void aProgramThatIsNoMaven() {
    Maven none = new Maven(List.of(home.resolve("mvn").toString()));

    PecfException failure =
        assertThrows(
            PecfException.class,
            () -> none.copy(new MavenCoordinates("a", "b", "1"), List.of(), home));

    assertEquals(ErrorCode.UNAVAILABLE, failure.code());
    assertTrue(failure.getMessage().contains(home.resolve("mvn").toString()));
  }

  @Test
  void aPluginIsInstalledWithTheLibrariesThatPecfDoesNotHave() throws IOException {
    Maven maven = maven();
    Path shelf = home.resolve("shelf");
    Path tools =
        PluginJarBuilder.jar("tools.jar")
            .module("module tools { exports tools; }")
            .source("tools.Tool", "public class Tool { public static double step() { return 1; } }")
            .in(shelf);
    Path plugin =
        PluginJarBuilder.jar("steps.jar")
            .module(AlphaPlugin.module("steps", "requires tools;"))
            .source(
                "steps.Alpha",
                AlphaPlugin.provider("steps").replace(AlphaPlugin.STEP, "tools.Tool.step()"))
            .library(tools)
            .in(shelf);
    Path api =
        PluginJarBuilder.jar("api.jar")
            .module("module org.pecf.api { exports org.pecf.api; }")
            .source("org.pecf.api.Thing", "public class Thing {}")
            .in(shelf);
    publish("pecf-api", api, "");
    publish("tools", tools, "");
    publish("steps", plugin, dependency("tools") + dependency("pecf-api") + TEST_DEPENDENCY);
    Path plugins = home.resolve("plugins");
    PluginInstaller installer = new PluginInstaller(plugins, PluginTrust.inEverything());
    List<URI> repositories = List.of(repository().toUri());

    Installation installed =
        installer.install(
            new MavenCoordinates("org.acme", "steps", "1.0"), maven, repositories, false);

    assertEquals(plugins.resolve("steps"), installed.location());
    assertEquals(
        List.of("steps-1.0.jar", "tools-1.0.jar"),
        Folders.visible(installed.location()).stream()
            .map(jar -> jar.getFileName().toString())
            .toList());
    assertEquals(
        1,
        PluginCatalog.load(List.of(plugins)).alpha(ProviderChoice.of("steps")).alpha(null, null));
  }

  @Test
  void aLibraryThatIsNowhereIsNamed() throws IOException {
    publish("steps", PluginJarBuilder.jar("steps.jar").in(home), dependency("ladder"));
    Maven maven = maven();
    List<URI> repositories = List.of(repository().toUri());
    Path folder = Files.createDirectory(home.resolve("folder"));

    PecfException failure =
        assertThrows(
            PecfException.class,
            () ->
                maven.copy(new MavenCoordinates("org.acme", "steps", "1.0"), repositories, folder));

    assertEquals(ErrorCode.UNAVAILABLE, failure.code());
    assertTrue(
        failure.getMessage().startsWith("Maven could not fetch org.acme:steps:1.0: "),
        failure.getMessage());
    assertTrue(failure.getMessage().contains("org.acme:ladder:"), failure.getMessage());
    assertEquals(List.of(), Folders.visible(folder));
  }

  @Test
  void aMavenThatPassesOverTheExtension() throws IOException {
    Path script = Files.writeString(home.resolve("mvn"), "#!/bin/sh\nexit 0\n");
    assumeTrue(
        script.toFile().setExecutable(true) && Files.exists(Path.of("/bin/sh")),
        "scripts of /bin/sh cannot be run here");
    Path folder = Files.createDirectory(home.resolve("folder"));

    PecfException failure =
        assertThrows(
            PecfException.class,
            () ->
                new Maven(List.of(script.toString()))
                    .copy(new MavenCoordinates("org.acme", "steps", "1.0"), List.of(), folder));

    assertEquals(
        "Maven could not fetch org.acme:steps:1.0: it did not say why.", failure.getMessage());
  }

  @Test
  void whatMavenSaysOfAFailureIsPassedOn() throws IOException {
    Path script = home.resolve("mvn");
    Files.writeString(
        script,
        """
        #!/bin/sh
        echo '[INFO] Scanning'
        echo '[\033[1;31mERROR\033[m] Could not find artifact org.acme:stairs:jar:1.0'
        echo '[ERROR]'
        echo '[ERROR] -> [Help 1]'
        exit 1
        """);
    assumeTrue(
        script.toFile().setExecutable(true) && Files.exists(Path.of("/bin/sh")),
        "scripts of /bin/sh cannot be run here");
    Path plugins = home.resolve("plugins");
    PluginInstaller installer = new PluginInstaller(plugins, PluginTrust.inEverything());

    PecfException failure =
        assertThrows(
            PecfException.class,
            () ->
                installer.install(
                    new MavenCoordinates("org.acme", "stairs", "1.0"),
                    Maven.find(Map.of("PATH", home.toString())),
                    List.of(),
                    false));

    assertEquals(ErrorCode.UNAVAILABLE, failure.code());
    assertEquals(
        "Maven could not fetch org.acme:stairs:1.0: Could not find artifact"
            + " org.acme:stairs:jar:1.0.",
        failure.getMessage());
    assertEquals(List.of(), Folders.visible(plugins));
  }

  private Path repository() {
    return home.resolve("a repository");
  }

  /** Put a jar into the test's repository. */
  private void publish(String artifact, Path jar, String dependencies) throws IOException {
    Path folder = Files.createDirectories(repository().resolve("org/acme/" + artifact + "/1.0"));
    addSum(Files.copy(jar, folder.resolve(artifact + "-1.0.jar")));
    addSum(
        Files.writeString(
            folder.resolve(artifact + "-1.0.pom"),
            """
            <project>
              <modelVersion>4.0.0</modelVersion>
              <groupId>org.acme</groupId>
              <artifactId>%s</artifactId>
              <version>1.0</version>
              <dependencies>%s</dependencies>
            </project>
            """
                .formatted(artifact, dependencies)));
  }

  /** Write the checksum that repositories have beside each file; Maven 4 asks for it. */
  private static void addSum(Path file) throws IOException {
    try {
      byte[] sum = MessageDigest.getInstance("SHA-1").digest(Files.readAllBytes(file));
      Files.writeString(
          file.resolveSibling(file.getFileName() + ".sha1"), HexFormat.of().formatHex(sum));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String dependency(String artifact) {
    return "<dependency><groupId>org.acme</groupId><artifactId>"
        + artifact
        + "</artifactId><version>1.0</version></dependency>";
  }

  /**
   * Return the Maven of this build, kept to the test's own files: it has an empty repository for
   * what it fetches, and another instead of the one on the network.
   */
  private Maven maven() throws IOException {
    Path bin = Path.of(System.getProperty("pecf.maven.home", ""), "bin");
    Optional<Path> program =
        Stream.of(bin.resolve("mvn"), bin.resolve("mvn.cmd"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(program.isPresent(), "the Maven of this build has no mvn in " + bin);
    Path settings =
        Files.writeString(
            home.resolve("settings.xml"),
            """
            <settings>
              <mirrors>
                <mirror>
                  <id>empty</id>
                  <mirrorOf>central</mirrorOf>
                  <url>%s</url>
                </mirror>
              </mirrors>
            </settings>
            """
                .formatted(Files.createDirectories(home.resolve("an empty repository")).toUri()));
    return new Maven(
        List.of(
            program.orElseThrow().toString(),
            "--settings",
            settings.toString(),
            "--global-settings",
            settings.toString(),
            "-Dmaven.repo.local=" + home.resolve("local repository")));
  }
}
