package org.pecf.plugin.loaders.text;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;

/**
 * The names that the file of a format usually has, by which it is found in a folder.
 *
 * @param names the names; a file may be called the same with {@code .gz} added
 */
public record FileNames(List<String> names) {
  public FileNames {
    names = List.copyOf(names);
  }

  /** Return the beginning of the file that a source names, if there is one and it is text. */
  public Optional<Sample> sample(DataSource source) {
    return source.path().flatMap(path -> find(path).stream().findFirst()).flatMap(Sample::ofText);
  }

  /**
   * Open the file that a source names, directly or by its folder.
   *
   * @throws PecfException if there is none, or several
   */
  public TextFile open(DataSource source) {
    Path path = source.requiredPath();
    List<Path> found = find(path);
    if (found.isEmpty()) {
      throw PecfException.badData(
          "%s: no %s in this folder. Name the file of ratings itself.",
          path, String.join(" or ", names));
    }
    if (found.size() > 1) {
      throw PecfException.badData(
          "%s: both %s and %s are in this folder. Name the one to read.",
          path, found.get(0).getFileName(), found.get(1).getFileName());
    }
    return TextFile.open(found.get(0));
  }

  /** Return the path itself if it is no folder, or else the files in it that have the names. */
  private List<Path> find(Path path) {
    return Files.isDirectory(path)
        ? names.stream()
            .flatMap(name -> Stream.of(path.resolve(name), path.resolve(name + ".gz")))
            .filter(Files::isRegularFile)
            .toList()
        : List.of(path);
  }
}
