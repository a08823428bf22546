package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands and tests that docs/reliability.md names: each is a part of this build, which runs
 * it, with fewer kills and shorter fuzzing than the page's figures come from.
 */
class ReliabilityIT {
  private static final Path ROOT = Path.of(System.getProperty("pecf.docs")).getParent();
  private static final Pattern COMMAND = Pattern.compile("-pl ([\\w,/-]+)([^\n`]*)");
  private static final Pattern CHOICE = Pattern.compile("-D(?:it\\.)?test='?([\\w*,]+)'?");
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT))`");

  @TempDir private Path folder;

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/reliability.md"));
  }

  private static List<String> tests(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .toList();
    }
  }

  @Test
  void everyCommandRunsTestsThatTheBuildRuns() throws IOException {
    Matcher command = COMMAND.matcher(page());
    int commands = 0;
    while (command.find()) {
      List<String> found = new ArrayList<>();
      for (String module : command.group(1).split(",")) {
        List<String> tests = tests(ROOT.resolve(module).resolve("src/test/java"));
        assertFalse(tests.isEmpty(), "there are no tests in " + module);
        found.addAll(tests);
      }
      Matcher choice = CHOICE.matcher(command.group(2));
      boolean chosen = false;
      while (choice.find()) {
        for (String name : choice.group(1).split(",")) {
          PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + name);
          boolean none = name.equals("None");
          assertTrue(
              none || found.stream().map(Path::of).anyMatch(matcher::matches),
              command.group() + " runs no " + name);
          chosen |= !none;
        }
      }
      assertTrue(chosen, command.group() + " chooses no test");
      commands++;
    }
    assertTrue(commands >= 12, commands + " commands");
  }

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.filter(path -> Files.exists(path.resolve("pom.xml"))).toList()) {
        all.addAll(tests(module.resolve("src/test/java")));
      }
    }
    List<String> missing =
        NAMED
            .matcher(page())
            .results()
            .map(match -> match.group(1))
            .filter(name -> !all.contains(name))
            .toList();
    assertEquals(List.of(), missing);
  }

  /** The README of the distribution names what is there, and its commands work. */
  @Test
  void theReadmeOfTheDistributionIsTrue() throws Exception {
    String readme = Files.readString(Distribution.built().resolve("README.md"));
    List<String> named =
        Pattern.compile(
                "`((?:bin|lib|plugins|tools|completion|man|conf|docs)(?:/[\\w.-]+)?|[A-Z]+(?:\\.md)?)`")
            .matcher(readme)
            .results()
            .map(match -> match.group(1))
            .toList();
    assertTrue(named.size() >= 9, named.toString());
    for (String name : named) {
      assertTrue(
          name.equals("JAVA_HOME") || Files.exists(Distribution.built().resolve(name)), name);
    }
    try (Stream<Path> entries = Files.list(Distribution.built())) {
      for (Path shipped : entries.filter(Files::isDirectory).toList()) {
        assertTrue(named.contains(shipped.getFileName().toString()), shipped + " is not named");
      }
    }
    StringBuilder rows = new StringBuilder("user,item\n");
    for (int k = 0; k < 900; k++) {
      rows.append(k % 60).append(',').append((k * k + k % 7) % 97).append('\n');
    }
    Files.writeString(folder.resolve("ratings.csv"), rows);
    List<String> commands = readme.lines().filter(line -> line.startsWith("bin/pecf-run")).toList();
    assertTrue(commands.size() >= 5, commands.toString());
    for (String command : commands) {
      String[] words = command.replaceFirst(" +#.*", "").split(" +");
      assertTrue(Files.exists(Distribution.built().resolve(words[0])), words[0]);
      Distribution.in(folder)
          .run(List.of(words).subList(1, words.length).toArray(String[]::new))
          .expectExit(0);
    }
  }
}
