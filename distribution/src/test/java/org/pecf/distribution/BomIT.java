package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    Path bom = ROOT.resolve("distribution/bom/pom.xml");
    Set<String> modules =
        all(ROOT.resolve("pom.xml"), "<module>([^/<]+)</module>").stream()
            // One measures, one is within the engine's jar; nobody depends on them.
            .filter(module -> !module.equals("benchmarks"))
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
    String version = "<arrow\\.version>([^<]+)<";
    Path bom = ROOT.resolve("distribution/bom/pom.xml");
    assertEquals(all(ROOT.resolve("pom.xml"), version), all(bom, version));
    assertFalse(
        Files.readString(bom).contains("jackson"), "an application's Jackson is its own affair");
  }

  /** One version of Jackson in the parent and in what we ship. */
  @Test
  void jacksonIsOneVersionEverywhere() throws IOException {
    String version = all(ROOT.resolve("pom.xml"), "<jackson\\.version>([^<]+)<").get(0);
    // Annotations have no patch releases.
    String minor = version.substring(0, version.lastIndexOf('.'));
    List<String> shipped;
    try (Stream<Path> jars = Files.walk(Distribution.built())) {
      shipped =
          jars.map(jar -> jar.getFileName().toString())
              .filter(name -> name.matches("jackson-.*\\.jar"))
              .sorted()
              .toList();
    }
    assertTrue(shipped.size() > 4, shipped.toString());
    for (String jar : shipped) {
      String expected = jar.startsWith("jackson-annotations") ? minor : version;
      assertTrue(jar.endsWith("-" + expected + ".jar"), jar + " is not of " + expected);
    }
    Path archetype =
        ROOT.resolve("examples/archetype/src/main/resources/archetype-resources/pom.xml");
    assertTrue(Files.readString(archetype).contains("<artifactId>pecf-bom</artifactId>"));
    assertFalse(Files.readString(archetype).contains("jackson"), "the BOM alone has the version");
  }

  /** Editors show authors of plugins what they call. */
  @Test
  void sourcesAndJavadocAreInstalledByDefault() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    String always = pom.substring(0, pom.indexOf("<profiles>"));
    assertTrue(always.contains("<artifactId>maven-source-plugin</artifactId>"));
    for (String module : List.of("pecf-api", "pecf-backend", "pecf-engine", "pecf-testkit")) {
      assertTrue(
          Files.readString(ROOT.resolve(module).resolve("pom.xml"))
              .contains("<artifactId>maven-javadoc-plugin</artifactId>"),
          module);
    }
  }
}
