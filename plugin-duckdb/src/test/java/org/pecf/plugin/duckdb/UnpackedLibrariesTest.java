package org.pecf.plugin.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedLibrariesTest {
  @TempDir Path folder;

  private Path file(String name, Instant time) throws Exception {
    Path file = Files.writeString(folder.resolve(name), "library");
    Files.setLastModifiedTime(file, FileTime.from(time));
    return file;
  }

  @Test
  void oldCopiesGoAndNothingElse() throws Exception {
    Instant now = Instant.now();
    Instant old = now.minus(Duration.ofHours(2));
    Path other = file("precious", old);
    file("libduckdb_java123.so", old);
    file("libduckdb_java456.so", now);
    file("libduckdb_java.so", old);
    file("libduckdb_java12x.so", old);
    Files.createDirectory(folder.resolve("libduckdb_java789.so"));
    Files.createSymbolicLink(folder.resolve("libduckdb_java321.so"), other);
    UnpackedLibraries.collect(folder, now);
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(
          List.of(
              "libduckdb_java.so",
              "libduckdb_java12x.so",
              "libduckdb_java321.so",
              "libduckdb_java456.so",
              "libduckdb_java789.so",
              "precious"),
          left.map(path -> path.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void noFolderIsNoProblem() {
    UnpackedLibraries.collect(folder.resolve("missing"), Instant.now());
  }

  @Test
  void loadedLibrariesNeedNoFile() throws Exception {
    Path loaded = file("libduckdb_java123.so", Instant.now());
    Path other = file("libother.so", Instant.now());
    Path maps =
        Files.writeString(
            folder.resolve("maps"),
            "7f00-7f01 r-xp 00000000 fe:00 12 %s%n7f02-7f03 r--p 00000000 fe:00 12 %s%n"
                    .formatted(loaded, other)
                + "7f04-7f05 rw-p 00000000 00:00 0 [stack]\n7f06-7f07 rw-p 00000000 00:00 0 \n");
    UnpackedLibraries.deleteMapped(maps);
    assertFalse(Files.exists(loaded));
    assertTrue(Files.exists(other));
    UnpackedLibraries.deleteMapped(folder.resolve("missing"));
  }
}
