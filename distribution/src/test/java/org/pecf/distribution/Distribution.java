package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Run the launcher of a distribution the way its users do: as a process, from any folder. */
record Distribution(Path launcher, Path workingFolder, Map<String, String> environment) {
  Distribution {
    environment = Map.copyOf(environment);
  }

  /**
   * Hold what a process did.
   *
   * @param exitCode its exit code
   * @param out what it wrote to standard output
   * @param err what it wrote to standard error
   */
  record Outcome(int exitCode, String out, String err) {
    Outcome expectExit(int code) {
      assertEquals(code, exitCode, () -> "standard error:\n" + err + "standard output:\n" + out);
      return this;
    }
  }

  /** Return the folder that the build made. */
  static Path built() {
    return Path.of(System.getProperty("pecf.distribution"));
  }

  static Distribution in(Path workingFolder) {
    return new Distribution(built().resolve("bin/pecf-run"), workingFolder, Map.of());
  }

  Distribution with(String name, String value) {
    Map<String, String> more = new TreeMap<>(environment);
    more.put(name, value);
    return new Distribution(launcher, workingFolder, more);
  }

  Distribution launchedBy(Path other) {
    return new Distribution(other, workingFolder, environment);
  }

  /** Start the launcher; outputs go to files, so nothing can block. */
  Process start(Path out, Path err, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(launcher.toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(workingFolder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    // What the builder of the project has set is not what is tested, and Java talks of its options.
    builder
        .environment()
        .keySet()
        .removeIf(
            name -> name.startsWith("PECF_") || name.matches("(JAVA_TOOL|JDK_JAVA|_JAVA)_OPTIONS"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    environment.forEach(
        (name, value) -> {
          if (value.isEmpty()) {
            builder.environment().remove(name);
          }
        });
    return builder.start();
  }

  /** Run the launcher to its end, however slow the machine: the build ends what hangs. */
  Outcome run(String... arguments) throws IOException, InterruptedException {
    Path out = Files.createTempFile("pecf-out", ".txt");
    Path err = Files.createTempFile("pecf-err", ".txt");
    try {
      Process process = start(out, err, arguments);
      int exitCode = process.waitFor();
      String written = Files.readString(out, StandardCharsets.UTF_8);
      String said = Files.readString(err, StandardCharsets.UTF_8);
      return new Outcome(exitCode, written, said);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Copy a folder with all that is in it, permissions included. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      paths.forEach(
          path -> {
            try {
              Files.copy(
                  path,
                  to.resolve(from.relativize(path).toString()),
                  StandardCopyOption.COPY_ATTRIBUTES);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }
}
