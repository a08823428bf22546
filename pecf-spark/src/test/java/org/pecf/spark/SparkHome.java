package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A folder like that of a distribution of Spark, made from the jars of the class path: the jars
 * that Spark brings, and {@code spark-submit}, which asks Spark's launcher for the command to run,
 * as the script of a distribution does.
 *
 * @param folder the folder
 */
record SparkHome(Path folder) {
  /** The libraries that the assembly jar holds, and those of tests: a distribution has none. */
  private static final List<String> OTHERS =
      List.of(
          "/org/bytedeco/",
          "/org/ejml/",
          "/org/apiguardian/",
          "/org/jspecify/",
          "/org/junit/",
          "/org/opentest4j/",
          "/surefire/",
          "jackson-datatype-jdk8");

  private static final String SUBMIT =
      """
      #!/bin/sh
      java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
      "$java" -cp "$SPARK_HOME/jars/*" org.apache.spark.launcher.Main \\
        org.apache.spark.deploy.SparkSubmit "$@" > "$SPARK_HOME/command.$$" || exit 1
      tail -c +3 "$SPARK_HOME/command.$$" | xargs -0 env
      """;

  /** Make the folder. */
  static SparkHome in(Path parent) throws IOException {
    Path home = Files.createDirectories(parent.resolve("spark"));
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String name = Path.of(entry).getFileName().toString();
      boolean ours = name.startsWith("pecf-") || name.startsWith("plugin-");
      boolean brought =
          !ours && name.endsWith(".jar") && OTHERS.stream().noneMatch(entry::contains);
      Path link = jars.resolve(name);
      if (brought && !Files.exists(link)) {
        Files.createSymbolicLink(link, Path.of(entry));
      }
    }
    Path script = Files.createDirectories(home.resolve("bin")).resolve("spark-submit");
    Files.writeString(script, SUBMIT);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new SparkHome(home);
  }

  /** Return the jar that users hand to {@code spark-submit}. */
  static Path assembly() throws IOException {
    try (var files = Files.list(Path.of("target"))) {
      return files
          .filter(file -> file.toString().endsWith("-assembly.jar"))
          .findFirst()
          .orElseThrow()
          .toAbsolutePath();
    }
  }

  /** Run {@code spark-submit} for some minutes at most, and return its output. */
  String submit(int minutes, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(folder.resolve("bin/spark-submit").toString());
    command.addAll(Arrays.asList(arguments));
    Path log = Files.createTempFile(folder, "submit", ".log");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("SPARK_HOME", folder.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process driver = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      boolean ended = driver.waitFor(minutes, TimeUnit.MINUTES);
      String output = Files.readString(log);
      assertTrue(ended, "the driver does not end: " + output);
      assertTrue(driver.exitValue() == 0, output);
      return output;
    } finally {
      driver.descendants().forEach(ProcessHandle::destroyForcibly);
      driver.destroyForcibly();
    }
  }
}
