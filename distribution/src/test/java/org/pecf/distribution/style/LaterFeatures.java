package org.pecf.distribution.style;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The features that came after the restructuring was planned, and the patterns of their files, as
 * distribution/src/test/features.txt lists them.
 */
public final class LaterFeatures {
  private static final String OURS = "src/main/java/org/pecf/";

  private final Map<String, List<PathMatcher>> patterns = new LinkedHashMap<>();

  private LaterFeatures() {}

  /** Read the features of a tree of sources. */
  public static LaterFeatures read(Path root) throws IOException {
    LaterFeatures read = new LaterFeatures();
    List<PathMatcher> current = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve("distribution/src/test/features.txt"))) {
      String pattern = line.strip();
      if (line.startsWith(" ")) {
        String glob = pattern.startsWith("/") ? pattern.substring(1) : "**/" + OURS + pattern;
        current.add(FileSystems.getDefault().getPathMatcher("glob:" + glob));
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        current = new ArrayList<>();
        read.patterns.put(line, current);
      }
    }
    return read;
  }

  /** Return the names of all features. */
  public List<String> names() {
    return List.copyOf(patterns.keySet());
  }

  /** Return the feature of a file, if it belongs to one, by its path in the tree of sources. */
  public Optional<String> of(Path file) {
    List<String> found =
        patterns.entrySet().stream()
            .filter(entry -> entry.getValue().stream().anyMatch(one -> one.matches(file)))
            .map(Map.Entry::getKey)
            .toList();
    if (found.size() > 1) {
      throw new IllegalStateException(file + " is listed under " + found);
    }
    return found.stream().findFirst();
  }

  /** Return the feature of a top-level type, if it belongs to one, by its name after org.pecf. */
  public Optional<String> ofType(String name) {
    return of(Path.of("module", OURS + name.replace('.', '/') + ".java"));
  }

  /** Return the features that have a pattern which matches none of the given files. */
  List<String> incomplete(List<Path> files) {
    return patterns.entrySet().stream()
        .filter(
            entry ->
                entry.getValue().stream()
                    .anyMatch(pattern -> files.stream().noneMatch(pattern::matches)))
        .map(Map.Entry::getKey)
        .toList();
  }
}
