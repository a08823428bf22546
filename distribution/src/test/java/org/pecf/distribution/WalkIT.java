package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.style.LaterFeatures;

/**
 * The walk from the command to the stored model in docs/architecture.md, compared with the classes
 * that Java loads for that command. The files of each package are listed in target/walk.txt.
 */
class WalkIT {
  /** The most by which the number in the guide may be off: small changes need not touch it. */
  private static final double TOLERANCE = 0.05;

  private static final Pattern LOADED =
      Pattern.compile("\\] org\\.pecf\\.((?:[a-z]\\w*\\.)*[A-Z]\\w*)\\S* source: ");
  private static final Pattern COUNTED = Pattern.compile("(\\d+) files\\s+take\\s+part");
  private static final Pattern LATER = Pattern.compile("(\\d+) belong\\s+to\\s+features");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @TempDir private Path folder;

  /** Return the files that take part: top-level types by their names without org.pecf. */
  private Set<String> walk() throws IOException, InterruptedException {
    Path log = folder.resolve("classes.log");
    Distribution.in(folder)
        .with("PECF_JAVA_OPTS", "-Xlog:class+load=info:file=" + log + "::filecount=0")
        .run("--rounds", "4", "--effort", "none", "--out", "model")
        .expectExit(0);
    Set<String> files = new TreeSet<>();
    for (String line : Files.readAllLines(log)) {
      Matcher matcher = LOADED.matcher(line);
      if (matcher.find()) {
        files.add(matcher.group(1));
      }
    }
    return files;
  }

  @Test
  void theGuideNamesFilesThatTakePart() throws IOException, InterruptedException {
    Set<String> files = walk();
    Map<String, Long> byPackage =
        files.stream()
            .collect(
                Collectors.groupingBy(
                    file -> file.substring(0, Math.max(0, file.lastIndexOf('.'))),
                    TreeMap::new,
                    Collectors.counting()));
    List<String> lines =
        byPackage.entrySet().stream()
            .map(entry -> "%5d  %s".formatted(entry.getValue(), entry.getKey()))
            .toList();
    Path root = Path.of(System.getProperty("pecf.root"));
    Files.write(root.resolve("distribution/target/walk.txt"), lines);
    String guide = Files.readString(root.resolve("docs/architecture.md"));
    String section = guide.substring(guide.indexOf("## From the command to the model"));
    section = section.substring(0, section.indexOf("\n## "));
    assertStated(section, COUNTED, files.size(), lines);
    LaterFeatures features = LaterFeatures.read(root);
    List<String> later =
        files.stream().filter(file -> features.ofType(file).isPresent()).sorted().toList();
    assertStated(section, LATER, later.size(), later);
    Set<String> types =
        files.stream()
            .map(file -> file.substring(file.lastIndexOf('.') + 1))
            .collect(Collectors.toSet());
    for (String row : section.lines().filter(line -> line.startsWith("| ")).toList()) {
      Matcher code = CODE.matcher(row);
      while (code.find()) {
        String type = code.group(1).replaceFirst("^.*\\.(?=[A-Z])", "");
        if (type.matches("[A-Z]\\w+")) {
          assertTrue(types.contains(type), () -> type + " takes no part in: " + row);
        }
      }
    }
  }

  private static void assertStated(
      String section, Pattern number, int counted, List<String> details) {
    Matcher matcher = number.matcher(section);
    assertTrue(matcher.find(), () -> "the guide states a number as in " + number);
    int stated = Integer.parseInt(matcher.group(1));
    assertEquals(
        stated,
        counted,
        TOLERANCE * stated,
        () -> number + ": " + counted + "\n" + String.join("\n", details));
  }
}
