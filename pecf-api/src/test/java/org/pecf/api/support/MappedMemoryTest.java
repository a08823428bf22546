package org.pecf.api.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.memory.SparseCells;

class MappedMemoryTest {
  @TempDir private Path folder;

  /** A way to map a part of a file. */
  private interface Mapping {
    Optional<ArrowBuf> of(FileChannel channel, long offset, long bytes, BufferAllocator allocator)
        throws IOException;
  }

  private void check(Mapping mapping) throws IOException {
    byte[] bytes = new byte[20_000];
    for (int k = 0; k < bytes.length; k++) {
      bytes[k] = (byte) (k * 31);
    }
    Path file = Files.write(folder.resolve("file"), bytes);
    try (BufferAllocator allocator = new RootAllocator()) {
      Optional<ArrowBuf> mapped;
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        mapped = mapping.of(channel, 4_104, 9_000, allocator);
      }
      Files.delete(file);
      try (ArrowBuf buffer = mapped.orElseThrow()) {
        assertEquals(9_000, buffer.capacity());
        assertEquals(9_000, allocator.getAllocatedMemory());
        for (int k = 0; k < 9_000; k++) {
          assertEquals(bytes[4_104 + k], buffer.getByte(k));
        }
      }
    }
  }

  @Test
  void aPartOfAFileIsMemoryEvenWhenTheFileIsDeleted() throws IOException {
    check(MappedMemory::map);
  }

  @Test
  void largePartsAreMappedWhereJavaCanAndReadWhereItCannot() throws IOException {
    if (Runtime.version().feature() >= 22) {
      check(MappedMemory::mapSegment);
    } else {
      Path file = Files.write(folder.resolve("file"), new byte[8]);
      try (BufferAllocator allocator = new RootAllocator();
          FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        assertTrue(MappedMemory.mapSegment(channel, 0, 8, allocator).isEmpty());
      }
    }
  }

  @Test
  void uncheckedCellsAreCheckedWhenTheyAreUsed() {
    try (BufferAllocator allocator = new RootAllocator()) {
      ArrowBuf starts = allocator.buffer(12);
      ArrowBuf items = allocator.buffer(12);
      int[] ints = {0, 2, 3};
      for (int k = 0; k < 3; k++) {
        starts.setInt(4L * k, ints[k]);
        items.setInt(4L * k, k == 2 ? 9 : k);
      }
      try (SparseCells cells =
          SparseCells.ofUncheckedUserOrder(allocator, 2, 5, 3, starts, items)) {
        assertTrue(cells.contains(0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> cells.itemAt(2));
        assertThrows(IndexOutOfBoundsException.class, () -> cells.itemCount(0));
        items.setInt(8, 4);
        assertEquals(1, cells.itemCount(4));
        starts.setInt(4, 7);
        assertThrows(IndexOutOfBoundsException.class, () -> cells.userCount(0));
      }
    }
  }
}
