package org.pecf.plugin.backend.cpu.field;

import java.util.Arrays;
import java.util.Set;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.algebra.IntSlice;

/** The union of some sets of cells. */
public final class ObservedCells {
  private final SparseCells[] sets;

  private ObservedCells(Set<SparseCells> sets) {
    this.sets = sets.toArray(SparseCells[]::new);
  }

  /** Return the union of sets. */
  public static ObservedCells of(Set<SparseCells> sets) {
    return new ObservedCells(sets);
  }

  /** Return whether another is the union of the same sets. */
  boolean sameAs(ObservedCells other) {
    return sets.length == other.sets.length
        && Arrays.stream(sets).allMatch(set -> Arrays.stream(other.sets).anyMatch(o -> o == set));
  }

  /** Return whether there are no sets. */
  boolean isEmpty() {
    return sets.length == 0;
  }

  /**
   * List the cells among consecutive items of a user.
   *
   * @param items receives their items, ascending; at least count long. Modified.
   * @return the number of cells
   */
  public int list(int user, int firstItem, int count, int[] items) {
    int listed = 0;
    for (SparseCells set : sets) {
      IntSlice byUser = IntSlice.itemsByUser(set);
      int start = set.lowerBound(user, firstItem);
      int last = set.userStart(user + 1);
      int end = start;
      while (end < last && byUser.get(end) < firstItem + count) {
        end++;
      }
      listed = merge(items, listed, byUser, start, end);
    }
    return listed;
  }

  /** Merge the ascending items at some positions into ascending ones, each once. */
  private static int merge(int[] items, int count, IntSlice byUser, int start, int end) {
    int common = 0;
    int at = 0;
    for (int p = start; p < end && at < count; p++) {
      int item = byUser.get(p);
      while (at < count && items[at] < item) {
        at++;
      }
      common += at < count && items[at] == item ? 1 : 0;
    }
    int merged = count + end - start - common;
    // From the end, so that nothing is overwritten before it is moved.
    int target = merged - 1;
    int left = count - 1;
    for (int p = end - 1; p >= start; p--) {
      int item = byUser.get(p);
      while (left >= 0 && items[left] > item) {
        items[target--] = items[left--];
      }
      if (left >= 0 && items[left] == item) {
        left--;
      }
      items[target--] = item;
    }
    return merged;
  }
}
