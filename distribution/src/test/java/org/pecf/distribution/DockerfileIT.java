package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of the Dockerfile, taken by hand in a folder: no engine is needed for that. */
class DockerfileIT {
  private static final String HOME = "/opt/pecf";

  @TempDir private Path folder;

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Path.of(System.getProperty("pecf.root"), "Dockerfile"));
  }

  @Test
  void namesOnlyWhatTheDistributionHas() throws IOException {
    List<String> programs =
        lines().stream()
            .flatMap(line -> Pattern.compile(HOME + "/[\\w/.-]+").matcher(line).results())
            .map(found -> found.group().substring(HOME.length() + 1))
            .distinct()
            .toList();
    assertTrue(programs.contains("bin/pecf-run"), programs::toString);
    for (String program : programs) {
      assertTrue(Files.isExecutable(Distribution.built().resolve(program)), program);
    }
  }

  @Test
  void theStepsGiveAFolderWithAJavaOfItsOwn() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of(System.getProperty("java.home"), "bin", "jlink")),
        "jlink, of a whole JDK, is needed to make a runtime");
    Path home = folder.resolve("pecf");
    for (String line : lines()) {
      if (line.startsWith("RUN ") && line.contains(HOME)) {
        run(line.substring("RUN ".length()).replace(HOME, home.toString()));
      }
    }
    assertTrue(Files.isExecutable(home.resolve("runtime/bin/java")));
    String trained = run(home + "/bin/pecf-run --effort none --rank 4 --rounds 1");
    assertTrue(trained.contains("2 members"), trained);
    assertTrue(run(home + "/bin/pecf-run backends").contains("cpu"), "plugins are there");
  }

  private String run(String command) throws Exception {
    ProcessBuilder shell =
        new ProcessBuilder("/bin/sh", "-c", command)
            .directory(Path.of(System.getProperty("pecf.root")).toFile())
            .redirectErrorStream(true);
    shell.environment().keySet().removeIf(name -> name.startsWith("PECF_"));
    if (command.contains("make-runtime")) {
      shell.environment().put("JAVA_HOME", System.getProperty("java.home"));
    } else {
      shell.environment().remove("JAVA_HOME");
    }
    Process process = shell.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> command + "\n" + said);
    return said;
  }
}
