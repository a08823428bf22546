package org.pecf.engine.plugin.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import org.pecf.engine.plugin.AlphaPlugin;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginJarBuilder;
import org.pecf.engine.plugin.PluginTrust;
import org.pecf.engine.plugin.ProviderChoice;

/** Installing by coordinates, from a repository of files, with the Maven of this machine. */
class MavenTest {
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
    publish("steps", plugin, dependency("tools") + dependency("pecf-api"));
    Path plugins = home.resolve("plugins");
    PluginInstaller installer = new PluginInstaller(plugins, PluginTrust.inEverything());
    List<URI> repositories = List.of(repository().toUri());

    Verification installed =
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
    assumeTrue(script.toFile().setExecutable(true) && Files.exists(Path.of("/bin/sh")));
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
    return home.resolve("repository");
  }

  /** Put a jar into the test's repository. */
  private void publish(String artifact, Path jar, String dependencies) throws IOException {
    Path folder = Files.createDirectories(repository().resolve("org/acme/" + artifact + "/1.0"));
    Files.copy(jar, folder.resolve(artifact + "-1.0.jar"));
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
            .formatted(artifact, dependencies));
  }

  private static String dependency(String artifact) {
    return "<dependency><groupId>org.acme</groupId><artifactId>"
        + artifact
        + "</artifactId><version>1.0</version></dependency>";
  }

  /**
   * Return this machine's Maven, kept off the network: what it has fetched before serves as its
   * only repository besides the test's, and what it fetches now goes to a folder of the test's.
   */
  private Maven maven() throws IOException {
    Path fetched =
        Path.of(
            System.getProperty(
                "maven.repo.local",
                Path.of(System.getProperty("user.home"), ".m2", "repository").toString()));
    assumeTrue(
        Files.exists(
            fetched.resolve(
                "org/apache/maven/plugins/maven-dependency-plugin/3.11.0/"
                    + "maven-dependency-plugin-3.11.0.jar")),
        "this Maven has never used the dependency plugin");
    Path settings =
        Files.writeString(
            home.resolve("settings.xml"),
            """
            <settings>
              <mirrors>
                <mirror>
                  <id>fetched</id>
                  <mirrorOf>central</mirrorOf>
                  <url>%s</url>
                </mirror>
              </mirrors>
            </settings>
            """
                .formatted(fetched.toUri()));
    Optional<Path> program =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(folder -> Path.of(folder, "mvn"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(program.isPresent(), "there is no mvn on the PATH");
    List<String> command = new ArrayList<>(List.of(program.orElseThrow().toString()));
    command.addAll(
        List.of(
            "--settings",
            settings.toString(),
            "-Dmaven.repo.local=" + home.resolve("local-repository")));
    return new Maven(command);
  }
}
