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
 * deletes it when the process ends; a killed process does not get there. Where the system tells
 * what is loaded, the file is deleted as soon as it is, and stays loaded without a name. Elsewhere,
 * or if a process is killed before, it is deleted once it is old: files of this user with the
 * driver's naming only. A library in use stays on disk where the system does not permit its
 * deletion.
 */
final class UnpackedLibraries {
  private static final Pattern NAME = Pattern.compile("libduckdb_java\\d+\\.so");
  private static final Duration OLD = Duration.ofHours(1);

  private UnpackedLibraries() {}

  /** Delete the files of libraries that this process has loaded, where the system permits. */
  static void deleteLoaded() {
    deleteMapped(Path.of("/proc/self/maps"));
  }

  /**
   * Delete the files of libraries.
   *
   * @param maps lists the files that are mapped, one by line, each after its addresses
   */
  static void deleteMapped(Path maps) {
    if (!Files.isReadable(maps)) {
      return;
    }
    try {
      for (String line : Files.readAllLines(maps)) {
        int start = line.indexOf('/');
        if (start >= 0 && NAME.matcher(line.substring(line.lastIndexOf('/') + 1)).matches()) {
          Files.deleteIfExists(Path.of(line.substring(start)));
        }
      }
    } catch (IOException | RuntimeException e) {
      // Then the driver deletes them at the end of the process.
    }
  }

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
