package org.pecf.api.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SparseCellsTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, allocator.getAllocatedMemory());
    allocator.close();
  }

  private ArrowBuf ints(int... values) {
    ArrowBuf buffer = allocator.buffer(Math.max(1, values.length * 4L));
    for (int k = 0; k < values.length; k++) {
      buffer.setInt(k * 4L, values[k]);
    }
    return buffer;
  }

  private SparseCells ofUserOrder(int[] starts, int... items) {
    return SparseCells.ofUserOrder(allocator, starts.length - 1, 4, ints(starts), ints(items));
  }

  private SparseCells ofSorted(int[] users, int[] items) {
    return SparseCells.ofSorted(allocator, 3, 4, users.length, users, items);
  }

  private static void assertCells(SparseCells cells) {
    // User 0 has items 1 and 3, user 1 none, user 2 items 0 and 3.
    assertEquals(4, cells.count());
    assertEquals(2, cells.userStart(1));
    assertEquals(0, cells.userCount(1));
    assertEquals(2, cells.userCount(2));
    assertEquals(3, cells.itemAt(1));
    assertEquals(0, cells.itemAt(2));
    assertEquals(1, cells.itemCount(0));
    assertEquals(0, cells.itemCount(2));
    assertEquals(2, cells.itemCount(3));
    assertEquals(2, cells.userAt(0));
    assertEquals(0, cells.userAt(1));
    assertEquals(0, cells.userAt(2));
    assertEquals(2, cells.userAt(3));
    assertTrue(cells.contains(2, 3));
    assertFalse(cells.contains(2, 1));
    assertEquals(1, cells.lowerBound(0, 2));
  }

  @Test
  void bothConstructionsGiveTheSameViews() {
    try (SparseCells cells = ofSorted(new int[] {0, 0, 2, 2}, new int[] {1, 3, 0, 3})) {
      assertCells(cells);
    }
    try (SparseCells cells = ofUserOrder(new int[] {0, 2, 2, 4}, 1, 3, 0, 3)) {
      assertCells(cells);
    }
  }

  @Test
  void setMayBeEmpty() {
    try (SparseCells cells = ofUserOrder(new int[] {0, 0, 0})) {
      assertEquals(0, cells.count());
      assertEquals(0, cells.itemCount(3));
      assertFalse(cells.contains(1, 1));
    }
  }

  @Test
  void disorderIsRefusedAndTheBuffersAreClosed() {
    refused(() -> ofUserOrder(new int[] {0, 2}, 3, 1));
    refused(() -> ofUserOrder(new int[] {0, 2}, 1, 1));
    refused(() -> ofUserOrder(new int[] {0, 1}, 4));
    refused(() -> ofUserOrder(new int[] {0, 1}, -1));
    refused(() -> ofUserOrder(new int[] {1, 2}, 0, 1));
    refused(() -> ofUserOrder(new int[] {0, 2, 1}, 0, 1));
    refused(() -> ofSorted(new int[] {1, 0}, new int[] {0, 0}));
    refused(() -> ofSorted(new int[] {0, 0}, new int[] {1, 0}));
    refused(() -> ofSorted(new int[] {0, 0}, new int[] {1, 1}));
    refused(() -> ofSorted(new int[] {3}, new int[] {0}));
    refused(() -> ofSorted(new int[] {-1}, new int[] {0}));
    refused(() -> ofSorted(new int[] {0}, new int[] {4}));
  }

  private static void refused(Runnable construction) {
    assertThrows(IllegalArgumentException.class, construction::run);
  }

  @Test
  void memoryIsBalancedWhereverItRunsOut() {
    int[] users = {0, 0, 2, 2};
    int[] items = {1, 3, 0, 3};
    int failures = 0;
    for (long limit = 0; limit < 64; limit += 8) {
      try (BufferAllocator narrow = allocator.newChildAllocator("narrow", 0, limit)) {
        try {
          SparseCells.ofSorted(narrow, 3, 4, 4, users, items).close();
        } catch (OutOfMemoryException e) {
          failures++;
        }
        assertEquals(0, narrow.getAllocatedMemory());
      }
    }
    assertTrue(failures >= 4, "only " + failures);
  }
}
