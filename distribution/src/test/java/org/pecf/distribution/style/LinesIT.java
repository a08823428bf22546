package org.pecf.distribution.style;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tables of lines and files in docs/architecture.md, counted. With {@code
 * -Dpecf.accept.lines=true} the guide is given the numbers of now.
 */
class LinesIT {
  /** The most by which a number in the guide may be off: small changes need not touch it. */
  private static final double TOLERANCE = 0.05;

  private static final int FEW_LINES = 100;

  private static final Path ROOT = Path.of(System.getProperty("pecf.root")).normalize();

  /** The rows of several modules, by their beginnings. */
  private static final Map<String, List<String>> SHARED_ROWS =
      Map.of(
          "filters:",
          List.of(
              "plugin-wmf", "plugin-bpr", "plugin-baselines", "plugin-accams", "plugin-softmax"),
          "benchmarks, examples",
          List.of("pecf-benchmarks", "examples", "pecf-maven-extension"));

  private static final Pattern MODULE = Pattern.compile("`((?:pecf|plugin)-[\\w-]+)`");
  private static final Pattern MODULE_ROW =
      Pattern.compile("(?m)^\\| (.+?) \\|(.*\\|) ([\\d,]+) / ([\\d,]+) \\|$");
  private static final Pattern FEATURE_ROW =
      Pattern.compile("(?m)^\\| (.+?) \\| ([\\d,]+) \\| ([\\d,]+) \\|$");
  private static final Pattern FEATURES = Pattern.compile("([\\d,]+)( of the lines now)");
  private static final Pattern REST = Pattern.compile("(the plan thus take about )([\\d,]+)");

  /** A number of files with their lines. */
  private record Size(long lines, int files) {
    Size plus(Size other) {
      return new Size(lines + other.lines, files + other.files);
    }

    static Size of(Collection<Size> sizes) {
      return sizes.stream().reduce(new Size(0, 0), Size::plus);
    }
  }

  private final List<String> stale = new ArrayList<>();

  @Test
  void theGuideStatesTheLinesOfNow() throws IOException {
    LaterFeatures features = LaterFeatures.read(ROOT);
    List<Path> files = SourceFiles.main().stream().map(ROOT::relativize).toList();
    assertEquals(List.of(), features.incomplete(files), "patterns of these match no file");
    Map<String, Size> modules = new TreeMap<>();
    Map<String, Size> later = new HashMap<>();
    for (Path file : files) {
      Size size = new Size(Files.readAllLines(ROOT.resolve(file)).size(), 1);
      modules.merge(file.getName(0).toString(), size, Size::plus);
      features.of(file).ifPresent(feature -> later.merge(feature, size, Size::plus));
    }
    Path guide = ROOT.resolve("docs/architecture.md");
    String written = Files.readString(guide);
    String counted = counted(written, modules, later);
    if (Boolean.getBoolean("pecf.accept.lines")) {
      Files.writeString(guide, counted);
    } else {
      assertEquals(
          List.of(), stale, "docs/architecture.md; -Dpecf.accept.lines=true gives it these");
    }
  }

  /** Return the guide with the numbers of now, and note those that are too far off. */
  private String counted(String guide, Map<String, Size> modules, Map<String, Size> later) {
    Map<String, Size> left = new TreeMap<>(modules);
    String text =
        MODULE_ROW
            .matcher(guide)
            .replaceAll(
                row -> {
                  Size now =
                      row.group(1).equals("**all**")
                          ? Size.of(modules.values())
                          : Size.of(
                              modulesOf(row.group(1)).stream()
                                  .map(name -> left.getOrDefault(name, new Size(0, 0)))
                                  .toList());
                  left.keySet().removeAll(modulesOf(row.group(1)));
                  check(row.group(1), row.group(3), now.lines());
                  return Matcher.quoteReplacement(
                      "| %s |%s %s / %s |"
                          .formatted(
                              row.group(1), row.group(2), count(now.lines()), count(now.files())));
                });
    assertEquals(Map.of(), left, "modules that no row of the guide counts");
    List<String> listed = FEATURE_ROW.matcher(guide).results().map(row -> row.group(1)).toList();
    assertEquals(sorted(later.keySet()), sorted(listed), "features");
    text =
        FEATURE_ROW
            .matcher(text)
            .replaceAll(
                row -> {
                  Size now = later.get(row.group(1));
                  check(row.group(1), row.group(3), now.lines());
                  return Matcher.quoteReplacement(
                      "| %s | %s | %s |"
                          .formatted(row.group(1), count(now.files()), count(now.lines())));
                });
    long all = Size.of(modules.values()).lines();
    long added = Size.of(later.values()).lines();
    text = replace(text, FEATURES, row -> count(added) + row.group(2));
    long rest = Math.round((all - added) / 1000.0) * 1000;
    return replace(text, REST, row -> row.group(1) + count(rest));
  }

  private static List<String> sorted(Collection<String> names) {
    return names.stream().sorted().toList();
  }

  private static String replace(String text, Pattern pattern, Function<MatchResult, String> now) {
    assertEquals(1, pattern.matcher(text).results().count(), pattern::pattern);
    return pattern.matcher(text).replaceAll(row -> Matcher.quoteReplacement(now.apply(row)));
  }

  private static List<String> modulesOf(String row) {
    return SHARED_ROWS.entrySet().stream()
        .filter(entry -> row.startsWith(entry.getKey()))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElseGet(() -> MODULE.matcher(row).results().map(found -> found.group(1)).toList());
  }

  private void check(String row, String stated, long now) {
    long then = Long.parseLong(stated.replace(",", ""));
    if (Math.abs(now - then) > Math.max(FEW_LINES, TOLERANCE * now)) {
      stale.add("%s: %s lines, not %s".formatted(row, count(now), stated));
    }
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
