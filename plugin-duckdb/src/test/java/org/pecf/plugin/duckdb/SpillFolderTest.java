package org.pecf.plugin.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillFolderTest {
  @TempDir Path temporary;

  private Path left(String name) throws Exception {
    Path folder = Files.createDirectory(temporary.resolve(name));
    Files.createFile(folder.resolve("lock"));
    Files.writeString(folder.resolve("duckdb_temp_storage-0.tmp"), "spilled");
    return folder;
  }

  @Test
  void foldersOfKilledProcessesGoAndThoseOfRunningOnesStay() throws Exception {
    Path killed = left("pecf-duckdb-abc-1");
    Path running = left("pecf-duckdb-abc-2");
    Path beingMade = Files.createDirectory(temporary.resolve("pecf-duckdb-abc-3"));
    try (FileChannel lock = FileChannel.open(running.resolve("lock"), StandardOpenOption.WRITE)) {
      assertTrue(lock.lock().isValid());
      SpillFolder own = SpillFolder.in(temporary);
      SpillFolder second = SpillFolder.in(temporary);
      assertTrue(Files.exists(own.path()));
      assertFalse(Files.exists(killed));
      assertTrue(Files.exists(running.resolve("duckdb_temp_storage-0.tmp")));
      assertTrue(Files.exists(beingMade));
      own.close();
      second.close();
      assertFalse(Files.exists(own.path()));
    }
    SpillFolder.in(temporary).close();
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(beingMade, left.reduce((a, b) -> temporary).orElseThrow());
    }
  }
}
