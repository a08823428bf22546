package org.pecf.tools.plugin;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.platform.file.DraftPlace;

/**
 * The user's own Maven, which fetches plugins from repositories under the user's settings (mirrors,
 * proxies, credentials). It is extended by one class that copies the artifact and its libraries, so
 * that it needs no plugins of its own.
 */
public final class Maven {
  private static final String EXTENSION = "org.pecf.maven.CopyLibraries";
  private static final String EXTENSION_BYTES = "CopyLibraries.bytes";
  private static final int LINES_OF_AN_ERROR = 3;

  private final List<String> command;

  /**
   * Create one from a command.
   *
   * @param command the program, and arguments for every call. Not modified.
   */
  public Maven(List<String> command) {
    this.command = List.copyOf(command);
  }

  /**
   * Find Maven: in MAVEN_HOME, or on the PATH.
   *
   * @param environment the environment variables. Not modified.
   * @throws PecfException with {@link ErrorCode#UNAVAILABLE} if it is not there
   */
  public static Maven find(Map<String, String> environment) {
    Stream<Path> homes =
        Stream.of("MAVEN_HOME", "M2_HOME")
            .map(environment::get)
            .filter(home -> home != null && !home.isBlank())
            .map(home -> Path.of(home, "bin"));
    Stream<Path> path =
        Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
            .filter(folder -> !folder.isBlank())
            .map(Path::of);
    return Stream.concat(homes, path)
        .flatMap(folder -> Stream.of(folder.resolve("mvn"), folder.resolve("mvn.cmd")))
        .filter(Files::isExecutable)
        .filter(Files::isRegularFile)
        .findFirst()
        .map(program -> new Maven(List.of(program.toString())))
        .orElseThrow(
            () ->
                PecfException.unavailable(
                    "Installing by coordinates needs Maven, and there is no mvn in MAVEN_HOME or on"
                        + " the PATH. Install Maven, or download the plugin and install its"
                        + " file."));
  }

  /**
   * Copy an artifact and its runtime dependencies into a folder.
   *
   * @param repositories where to look besides the repositories of the user's settings. Not
   *     modified.
   * @param folder receives the jars; must exist
   */
  public void copy(MavenCoordinates coordinates, List<URI> repositories, Path folder) {
    try {
      Path work = Files.createTempDirectory("pecf-maven");
      try {
        Path pom = Files.writeString(work.resolve("pom.xml"), pom(coordinates, repositories));
        Path log = work.resolve("log.txt");
        int code = run(pom, extension(work.resolve("extension")), folder, log);
        if (code != 0 || Folders.visible(folder).isEmpty()) {
          throw PecfException.unavailable(
              "Maven could not fetch %s: %s.", coordinates, errors(log));
        }
      } finally {
        DraftPlace.delete(work);
      }
    } catch (IOException e) {
      throw PecfException.unavailable("Maven cannot be run as %s: %s", command.get(0), e)
          .causedBy(e);
    }
  }

  /** Write the extension of Maven as a folder for its class path. */
  private static Path extension(Path folder) throws IOException {
    Path file = folder.resolve(EXTENSION.replace('.', '/') + ".class");
    Files.createDirectories(file.getParent());
    try (InputStream bytes = Maven.class.getResourceAsStream(EXTENSION_BYTES)) {
      Files.copy(Objects.requireNonNull(bytes, EXTENSION_BYTES), file);
    }
    Path index = folder.resolve("META-INF/sisu/javax.inject.Named");
    Files.createDirectories(index.getParent());
    Files.writeString(index, EXTENSION + "\n");
    return folder;
  }

  private int run(Path pom, Path extension, Path folder, Path log) throws IOException {
    List<String> call = new ArrayList<>(command);
    call.addAll(
        List.of(
            "--batch-mode",
            "--no-transfer-progress",
            "--file",
            pom.toString(),
            "-Dmaven.ext.class.path=" + extension.toAbsolutePath(),
            "-Dpecf.folder=" + folder.toAbsolutePath(),
            "validate"));
    Process process =
        new ProcessBuilder(call)
            .directory(Objects.requireNonNull(pom.getParent()).toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      process.getOutputStream().close();
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw PecfException.cancelled().causedBy(e);
    }
  }

  /** Return the first errors of Maven; the rest is help and repetition. */
  private static String errors(Path log) throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(log), Charset.defaultCharset())
            .replaceAll("\u001b\\[[0-9;]*m", "")
            .lines()
            .filter(line -> line.startsWith("[ERROR]"))
            .map(line -> line.substring("[ERROR]".length()).strip())
            .filter(line -> !line.isEmpty() && !line.startsWith("->"))
            .limit(LINES_OF_AN_ERROR)
            .toList();
    return lines.isEmpty() ? "it did not say why" : String.join(" ", lines);
  }

  private static String pom(MavenCoordinates coordinates, List<URI> repositories) {
    String more =
        repositories.stream()
            .map(
                address ->
                    """
                        <repository>
                          <id>given-%s</id>
                          <url>%s</url>
                        </repository>
                    """
                        .formatted(
                            Integer.toString(repositories.indexOf(address)),
                            address.toString().replace("&", "&amp;").replace("<", "&lt;")))
            .collect(Collectors.joining());
    return """
    <project xmlns="http://maven.apache.org/POM/4.0.0">
      <modelVersion>4.0.0</modelVersion>
      <groupId>org.pecf.install</groupId>
      <artifactId>plugin</artifactId>
      <version>1</version>
      <packaging>pom</packaging>
      <repositories>
    %s  </repositories>
      <dependencies>
        <dependency>
          <groupId>%s</groupId>
          <artifactId>%s</artifactId>
          <version>%s</version>
        </dependency>
      </dependencies>
    </project>
    """
        .formatted(more, coordinates.group(), coordinates.artifact(), coordinates.version());
  }
}
