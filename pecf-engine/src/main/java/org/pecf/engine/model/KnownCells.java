package org.pecf.engine.model;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.memory.SparseCells;

/** The cells that are known of users beyond those a model was trained on. */
public final class KnownCells {
  private KnownCells() {}

  /**
   * Return all cells of some sets that are not in another one; owned by the caller.
   *
   * @param sets the sets, which may overlap. Not modified.
   * @param except the cells to leave out. Not modified.
   * @param allocator the source of the result's memory
   */
  public static SparseCells of(
      List<SparseCells> sets, SparseCells except, BufferAllocator allocator) {
    ArrowBuf starts = allocator.buffer((except.users() + 1L) * Integer.BYTES);
    ArrowBuf items = null;
    try {
      int count = 0;
      starts.setInt(0, 0);
      for (int user = 0; user < except.users(); user++) {
        count += of(sets, except, user).length;
        starts.setInt((user + 1L) * Integer.BYTES, count);
      }
      items = allocator.buffer(Math.max(1L, (long) count * Integer.BYTES));
      long position = 0;
      for (int user = 0; user < except.users(); user++) {
        for (int item : of(sets, except, user)) {
          items.setInt(position, item);
          position += Integer.BYTES;
        }
      }
    } catch (RuntimeException e) {
      starts.close();
      if (items != null) {
        items.close();
      }
      throw e;
    }
    return SparseCells.ofUserOrder(allocator, except.users(), except.items(), starts, items);
  }

  /** Return the items of one user, ascending. */
  private static int[] of(List<SparseCells> sets, SparseCells except, int user) {
    int room = sets.stream().mapToInt(cells -> cells.userCount(user)).sum();
    int[] items = new int[room];
    int count = 0;
    for (SparseCells cells : sets) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        if (!except.contains(user, cells.itemAt(k))) {
          items[count++] = cells.itemAt(k);
        }
      }
    }
    return Arrays.stream(items, 0, count).sorted().distinct().toArray();
  }
}
