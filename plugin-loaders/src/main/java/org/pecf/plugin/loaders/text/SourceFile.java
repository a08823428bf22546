package org.pecf.plugin.loaders.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;

/** Find the files that a source names, directly or by the folder they are in. */
public final class SourceFile {
  private SourceFile() {}

  /** Return the path of a source, if it is one. */
  public static Optional<Path> path(DataSource source) {
    try {
      return source.path();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /**
   * Return the path of a source that must be one.
   *
   * @throws PecfException if the source is embedded data or its location is no path
   */
  public static Path requiredPath(DataSource source) {
    return path(source)
        .orElseThrow(
            () ->
                bad(
                    source.builtin().isPresent()
                        ? source.location()
                            + " is embedded data, but this format is read from a file."
                            + " Use the format synthetic."
                        : "'" + Excerpt.of(source.location()) + "' is not a path."));
  }

  /**
   * Return the file itself, or those of a folder that have one of the given names.
   *
   * @param names file names; each may end in .gz as well
   */
  public static List<Path> named(Path path, List<String> names) {
    return Files.isDirectory(path)
        ? names.stream()
            .flatMap(name -> Stream.of(path.resolve(name), path.resolve(name + ".gz")))
            .filter(Files::isRegularFile)
            .toList()
        : List.of(path);
  }

  /**
   * Return the one file that is meant.
   *
   * @param candidates what {@link #named} found in the path
   * @throws PecfException if there is none or several
   */
  public static Path single(Path path, List<String> names, List<Path> candidates) {
    if (candidates.isEmpty()) {
      throw bad(
          path
              + ": no "
              + String.join(" or ", names)
              + " in this folder. Name the file of ratings itself.");
    }
    if (candidates.size() > 1) {
      throw bad(
          path
              + ": both "
              + candidates.get(0).getFileName()
              + " and "
              + candidates.get(1).getFileName()
              + " are in this folder. Name the one to read.");
    }
    return candidates.get(0);
  }

  /** Return the files of a folder in the order of their names. */
  public static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw PecfException.badData("%s cannot be read: %s", folder, e).causedBy(e);
    }
  }

  private static PecfException bad(String message) {
    return PecfException.badData("%s", message);
  }
}
