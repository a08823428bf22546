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
 * Copies of the driver's native library that killed processes left in the temporary folder.
 *
 * <p>The driver unpacks its library of 60 MB to a new file that only this user can write to, and
 * deletes it when the process ends; a killed process does not get there. Only old files of this
 * user with the driver's naming are deleted. A library in use stays loaded where the system permits
 * its deletion, and stays on disk where it does not.
 */
final class DriverLeftovers {
  private static final Pattern NAME = Pattern.compile("libduckdb_java\\d+\\.so");
  private static final Duration OLD = Duration.ofHours(1);

  private DriverLeftovers() {}

  /** Delete the leftovers, as far as possible. */
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
      // Another process was faster, or it is in use.
    }
  }

  /** Compare the owner with that of a new file: root could delete the files of anybody. */
  private static boolean isOwn(Path file, Path folder) throws IOException {
    Path own = Files.createTempFile(folder, "pecf", null);
    try {
      return Files.getOwner(own).equals(Files.getOwner(file, LinkOption.NOFOLLOW_LINKS));
    } finally {
      Files.delete(own);
    }
  }
}
