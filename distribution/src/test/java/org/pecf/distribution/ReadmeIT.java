package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the README and of the page on using PECF, run by a shell as a reader would, on
 * small files of these names.
 */
class ReadmeIT {
  private static final Pattern SHELL = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern YAML = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;
  private String readme;

  @BeforeEach
  void prepare() throws IOException {
    Path root = Path.of(System.getProperty("pecf.root"));
    // The second goes on with what the first left.
    readme =
        Files.readString(root.resolve("README.md"))
            + Files.readString(root.resolve("docs/usage.md"));
    StringBuilder ratings = new StringBuilder("user,item,rating\n");
    StringBuilder joined = new StringBuilder("id,item,stars\n");
    StringBuilder users = new StringBuilder("id,name\n");
    Random random = new Random(1);
    for (int user = 1; user <= 60; user++) {
      users.append("%d,person %d%n".formatted(user, user));
      for (int item = 1; item <= 40; item++) {
        if (random.nextInt(3) > 0) {
          int rating = 1 + (user % 4 == item % 4 ? 3 + random.nextInt(2) : random.nextInt(5));
          ratings.append("%d,%d,%d%n".formatted(user, item, rating));
          joined.append("%d,%d,%d%n".formatted(user, item, rating));
        }
      }
    }
    Files.writeString(folder.resolve("ratings.csv"), ratings);
    Files.writeString(folder.resolve("ids.txt"), "1\n42\n60\n");
    Files.writeString(
        folder.resolve("newcomers.csv"),
        "user,item,rating\nanna,7,5\nanna,12,4\nanna,3,1\nbert,31,5\nbert,999,5\n");
    Files.writeString(
        folder.resolve("new.csv"), "user,item,rating\n1,41,5\n5,41,5\n61,1,4\n61,5,5\n");
    Files.createDirectories(folder.resolve("folder"));
    Files.writeString(folder.resolve("folder/ratings.csv"), joined);
    Files.writeString(folder.resolve("folder/users.csv"), users);
    Matcher configuration = YAML.matcher(readme);
    assertTrue(configuration.find());
    Files.writeString(folder.resolve("run.yaml"), configuration.group(1));
    PluginBuild focal =
        new PluginBuild(
            Path.of(System.getProperty("pecf.examples"), "weighting-focal"), List.of(), folder);
    Files.copy(focal.jar(folder.resolve("my-plugins/focal.jar")), folder.resolve("my.jar"));
  }

  @Test
  void coordinatesAreThoseOfOurArtifacts() throws IOException {
    Path root = Path.of(System.getProperty("pecf.root"));
    Matcher snippet =
        Pattern.compile("```xml\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(root.resolve("docs/library.md")));
    assertTrue(snippet.find());
    String bom = Files.readString(root.resolve("distribution/bom/pom.xml"));
    List<String> artifacts =
        Pattern.compile("<artifactId>(.*?)</artifactId>")
            .matcher(snippet.group(1))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertEquals("pecf-bom", artifacts.get(0));
    // A release takes the sources as they are.
    String version = System.getProperty("pecf.version").replace("-SNAPSHOT", "");
    assertTrue(snippet.group(1).contains("<version>" + version), "the version is not ours");
    for (String artifact : artifacts.subList(1, artifacts.size())) {
      assertTrue(bom.contains("<artifactId>" + artifact + "</artifactId>"), artifact);
      assertTrue(Files.exists(root.resolve(artifact).resolve("pom.xml")), artifact);
    }
  }

  private List<String> commands() {
    List<String> commands = new ArrayList<>();
    Matcher blocks = SHELL.matcher(readme);
    while (blocks.find()) {
      for (String line : blocks.group(1).replace("\\\n", " ").split("\n")) {
        // What serves does not end by itself; ServingIT starts it.
        if (line.startsWith("./pecf-run") && !line.startsWith("./pecf-run serve ")) {
          commands.add(line);
        }
      }
    }
    Matcher configured = Pattern.compile("used by: (\\./pecf-run .*)").matcher(readme);
    assertTrue(configured.find());
    commands.add(configured.group(1));
    return commands;
  }

  @Test
  void everyCommandWorks() throws Exception {
    List<String> commands = commands();
    assertTrue(commands.size() > 15, commands::toString);
    Path launcher = Distribution.built().resolve("bin/pecf-run");
    for (String command : commands) {
      Path out = folder.resolve("out.txt");
      ProcessBuilder shell =
          new ProcessBuilder("/bin/sh", "-c", command.replace("./pecf-run", "\"$PECF_RUN\""))
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile());
      shell.environment().put("PECF_RUN", launcher.toString());
      shell.environment().put("JAVA_HOME", System.getProperty("java.home"));
      int exitCode = shell.start().waitFor();
      String said = Files.readString(out);
      assertEquals(0, exitCode, () -> command + "\n" + said);
    }
    assertEquals(
        30, Files.readAllLines(folder.resolve("lists.csv")).size() - 1, "three lists of ten");
  }
}
