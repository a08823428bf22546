package org.pecf.tools.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.pecf.platform.archive.ArchiveLimit;

/** Operations on whole folders. */
final class Folders {
  private Folders() {}

  /** Copy a file, or a folder with all that is in it; links become copies of their targets. */
  static void copy(Path from, Path to) throws IOException {
    if (!Files.isDirectory(from)) {
      Files.copy(from, to);
      return;
    }
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  /**
   * Unpack a zip into a folder, and nowhere else whatever its entries are called.
   *
   * @throws ArchiveLimit.TooLarge if there is more in it than in any plugin
   */
  static void unpack(Path zip, Path folder) throws IOException {
    ArchiveLimit limit = ArchiveLimit.of(zip);
    ArchiveLimit.check(zip);
    try (ZipFile file = new ZipFile(zip.toFile())) {
      for (ZipEntry entry : Collections.list(file.entries())) {
        Path target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder.normalize())) {
          throw new IOException(zip + " would write outside its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          try (InputStream content = limit.bounded(file.getInputStream(entry))) {
            Files.copy(content, target);
          }
        }
      }
    }
  }

  /** List a folder in order of name, without hidden entries. */
  static List<Path> visible(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> !entry.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }
}
