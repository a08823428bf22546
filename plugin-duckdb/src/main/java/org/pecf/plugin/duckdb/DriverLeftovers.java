package org.pecf.plugin.duckdb;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * Copies of the driver's native library that killed programs left in the temporary folder.
 *
 * <p>The driver unpacks its library, of 60 MB, to a new file that only this user can write to, and
 * deletes it at the end of the program; a program that is killed has none. Only old files of this
 * user that are named as the driver names them are taken away. One that is still in use stays
 * loaded where systems allow its deletion, and stays where they do not.
 */
final class DriverLeftovers {
  private static final Pattern NAME = Pattern.compile("libduckdb_java\\d+\\.so");
  private static final Duration OLD = Duration.ofHours(1);

  private DriverLeftovers() {}

  /** Delete what is left; what cannot be deleted stays. */
  static void collect(Path folder, Instant now) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "libduckdb_java*.so")) {
      for (Path file : files) {
        if (NAME.matcher(file.getFileName().toString()).matches()) {
          collect(file, folder, now);
        }
      }
    } catch (IOException | RuntimeException e) {
      // Tidying up is no reason to fail.
    }
  }

  private static void collect(Path file, Path folder, Instant now) {
    try {
      BasicFileAttributes about =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (about.isRegularFile()
          && about.lastModifiedTime().toInstant().isBefore(now.minus(OLD))
          && isOwn(file, folder)) {
        Files.delete(file);
      }
    } catch (IOException | RuntimeException e) {
      // Another program was quicker, or it is in use.
    }
  }

  /** Compare owners with a file that is made now: root could delete what is anybody's. */
  private static boolean isOwn(Path file, Path folder) throws IOException {
    Path own = Files.createTempFile(folder, "pecf", null);
    try {
      return Files.getOwner(own).equals(Files.getOwner(file, LinkOption.NOFOLLOW_LINKS));
    } finally {
      Files.delete(own);
    }
  }
}
