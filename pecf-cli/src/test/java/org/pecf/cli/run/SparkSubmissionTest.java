package org.pecf.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.PecfException;
import org.pecf.cli.RecordedApplication;

class SparkSubmissionTest extends RecordedApplication {
  @TempDir Path folder;
  private final Map<String, String> given = new LinkedHashMap<>();

  @BeforeEach
  void options() {
    given.put("data", "ratings.csv");
    given.put("backend", "spark");
    given.put("spark.master", "local[2]");
    given.put("rank", "8");
  }

  private Map<String, String> environment(String script) throws Exception {
    Path submit = Files.createDirectories(folder.resolve("bin")).resolve("spark-submit");
    Files.writeString(submit, script);
    Files.setPosixFilePermissions(submit, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path jar = Files.createFile(folder.resolve("pecf.jar"));
    return Map.of("SPARK_HOME", folder.toString(), "PECF_SPARK_JAR", jar.toString());
  }

  @Test
  void settingsOfSparkAreItsConfiguration() throws Exception {
    List<String> command =
        SparkSubmission.of(given, Optional.of(Path.of("model")), environment("")).command();
    assertEquals(
        List.of("--conf", "spark.master=local[2]", "--class"), command.subList(1, 4), "" + command);
    assertEquals(
        List.of("--data", "ratings.csv", "--rank", "8", "--out", "model"),
        command.subList(6, command.size()));
    assertTrue(SparkSubmission.isAsked(given));
    assertFalse(SparkSubmission.isAsked(Map.of("backend", "cpu")));
  }

  @Test
  void theExitCodeIsSparks() throws Exception {
    Map<String, String> environment =
        environment("#!/bin/sh\n[ \"$2\" = spark.master=local[2] ] && exit 7\n");
    assertEquals(7, SparkSubmission.of(given, Optional.empty(), environment).run());
  }

  @Test
  void withoutSparkTheRemedyIsNamed() throws Exception {
    PecfException missing =
        assertThrows(
            PecfException.class, () -> SparkSubmission.of(given, Optional.empty(), Map.of()));
    assertEquals(3, missing.code().exitCode());
    assertTrue(missing.getMessage().contains("SPARK_HOME"), missing.getMessage());
    Map<String, String> home = Map.of("SPARK_HOME", environment("").get("SPARK_HOME"));
    missing =
        assertThrows(PecfException.class, () -> SparkSubmission.of(given, Optional.empty(), home));
    assertEquals(3, missing.code().exitCode());
    assertTrue(missing.getMessage().contains("PECF_SPARK_JAR"), missing.getMessage());
  }

  @Test
  @DisabledIfEnvironmentVariable(named = "SPARK_HOME", matches = ".+")
  void theCommandLineNamesTheRemedy() {
    assertEquals(3, execute("--data", "ratings.csv", "--backend", "spark"));
    assertTrue(err().contains("Set it to a distribution of Spark"), err());
    assertEquals(
        2, execute("--data", "ratings.csv", "--backend", "spark", "--metrics-json", "target/m"));
    assertTrue(err().contains("have no effect on Spark"), err());
    assertEquals(3, execute("--data", "r.csv", "--backend", "spark", "--hold-out", "0"));
    assertEquals(2, execute("--data", "r.csv", "--hold-out", "0", "--lists", "l"));
    assertTrue(err().contains("--hold-out, --lists has an effect on Spark only"), err());
  }
}
