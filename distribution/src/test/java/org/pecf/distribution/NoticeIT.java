package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What is said of the libraries in the distribution is true of those that are in it. */
class NoticeIT {
  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[^-]*(?:-\\d[^-]*)?)(-.*)?\\.jar");
  private static final Pattern ENTRY = Pattern.compile("  ([a-z0-9_-]+) {2,}\\S.*");

  /** Return the names of jars, without our own. */
  private static Set<String> jars() throws IOException {
    try (Stream<Path> files = Files.walk(Distribution.built())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar") && !name.matches("(pecf|plugin)-.*"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String artifact(String jar) {
    Matcher name = JAR.matcher(jar);
    assertTrue(name.matches(), jar);
    return name.group(1);
  }

  @Test
  void noticeListsWhatIsShipped() throws IOException {
    Set<String> shipped = new TreeSet<>();
    jars().forEach(jar -> shipped.add(artifact(jar)));
    Set<String> listed =
        Files.readAllLines(Distribution.built().resolve("NOTICE")).stream()
            .map(ENTRY::matcher)
            .filter(Matcher::matches)
            .map(line -> line.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(shipped, listed);
  }

  @Test
  void whatUsersExpectIsThere() {
    for (String name :
        new String[] {"CHANGELOG.md", "LICENSE", "NOTICE", "README.md", "SECURITY.md"}) {
      assertTrue(Files.isRegularFile(Distribution.built().resolve(name)), name);
    }
  }

  /** The list for scanners is made for releases only. */
  @Test
  void sbomListsWhatIsShipped() throws IOException {
    Path sbom = Distribution.built().resolve("pecf-sbom.json");
    Assumptions.assumeTrue(Files.exists(sbom), "made by the profile release");
    String text = Files.readString(sbom);
    for (String jar : jars()) {
      Matcher name = JAR.matcher(jar);
      assertTrue(name.matches(), jar);
      assertTrue(text.contains("/" + name.group(1) + "@" + name.group(2)), jar);
    }
  }
}
