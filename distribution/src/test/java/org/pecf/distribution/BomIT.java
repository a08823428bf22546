package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The BOM names every artifact that is published, in this version. */
class BomIT {
  private static final Path ROOT = Path.of(System.getProperty("pecf.docs")).getParent();

  private static List<String> all(Path pom, String regex) throws IOException {
    return Pattern.compile(regex)
        .matcher(Files.readString(pom))
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  @Test
  void everyModuleWithCodeIsNamedInThisVersion() throws IOException {
    Path bom = ROOT.resolve("pecf-bom/pom.xml");
    Set<String> modules =
        all(ROOT.resolve("pom.xml"), "<module>([^/<]+)</module>").stream()
            // One measures, one is within the engine's jar; nobody depends on them.
            .filter(module -> !Set.of("pecf-benchmarks", "pecf-maven-extension").contains(module))
            .filter(module -> Files.isDirectory(ROOT.resolve(module).resolve("src/main/java")))
            .collect(Collectors.toCollection(TreeSet::new));
    String ours = "<groupId>org\\.pecf</groupId>\\s*<artifactId>";
    List<String> named = all(bom, ours + "([^<]+)</artifactId>");

    assertEquals(
        Stream.concat(Stream.of("pecf-bom"), modules.stream()).toList(), named, "in order");
    assertEquals(
        Set.of(System.getProperty("pecf.version")),
        Set.copyOf(all(bom, ours + "[^<]+</artifactId>\\s*<version>([^<]+)</version>")));
  }

  @Test
  void librariesAreThoseThatWeRunWith() throws IOException {
    for (String library : List.of("arrow", "jackson")) {
      String version = "<" + library + "\\.version>([^<]+)<";
      assertEquals(
          all(ROOT.resolve("pom.xml"), version), all(ROOT.resolve("pecf-bom/pom.xml"), version));
    }
  }
}
