package org.pecf.engine.file;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Symbolic links and their targets. */
final class Links {
  private static final int MOST = 40;

  private Links() {}

  /** Return the target of a path, which need not exist; the path itself if it is not a link. */
  static Path follow(Path named) throws IOException {
    Path place = named.toAbsolutePath().normalize();
    for (int links = 0; Files.isSymbolicLink(place); links++) {
      if (links == MOST) {
        throw new FileSystemLoopException(named.toString());
      }
      place = next(place);
    }
    return place;
  }

  /** Return whether a link on the way from an existing path to its target is in a folder. */
  static boolean pass(Path named, Path folder) throws IOException {
    Path place = named.toAbsolutePath();
    for (int links = 0; links < MOST && Files.isSymbolicLink(place); links++) {
      if (folderOf(place).startsWith(folder)) {
        return true;
      }
      place = next(place);
    }
    return false;
  }

  private static Path folderOf(Path link) throws IOException {
    return Objects.requireNonNull(link.getParent()).toRealPath();
  }

  private static Path next(Path link) throws IOException {
    return folderOf(link).resolve(Files.readSymbolicLink(link)).normalize();
  }
}
