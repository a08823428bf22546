package org.pecf.distribution.style;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The main sources of all modules. */
final class Sources {
  private static final Pattern LITERAL = Pattern.compile("(?<!')\"((?:[^\"\\\\\n]|\\\\.)*)\"");
  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);

  private Sources() {}

  /**
   * A source file.
   *
   * @param module the folder of its module
   * @param path its path, from the root of the project
   * @param text its content
   */
  record Source(String module, Path path, String text) {
    /** Return the line number of a place in the text. */
    String line(int place) {
      return path + ":" + (1 + text.substring(0, place).chars().filter(c -> c == '\n').count());
    }

    /** Return all comments and string literals. */
    List<String> words() {
      List<String> words = new ArrayList<>();
      for (Pattern pattern : List.of(COMMENT, LITERAL)) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
          words.add(matcher.group());
        }
      }
      return words;
    }
  }

  /** Read all main sources, in order of path. */
  static List<Source> all() {
    Path root = Path.of(System.getProperty("pecf.root")).toAbsolutePath().normalize();
    List<Source> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.sorted().toList()) {
        Path folder = module.resolve("src/main/java");
        if (Files.isDirectory(folder)) {
          try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
              sources.add(
                  new Source(
                      module.getFileName().toString(),
                      root.relativize(file),
                      Files.readString(file)));
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sources;
  }
}
