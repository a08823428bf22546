package org.pecf.plugin.backend.cpu.field;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.Product;
import org.pecf.api.memory.SparseCells;
import org.pecf.plugin.backend.cpu.algebra.NativeInts;

/** List the cells of some sets that lie in a run, ascending and each once. */
public final class ObservedCells {
  private final SparseCells[] sets;

  private ObservedCells(Set<SparseCells> sets) {
    this.sets = sets.toArray(SparseCells[]::new);
  }

  /** Join sets. */
  public static ObservedCells of(Set<SparseCells> sets) {
    return new ObservedCells(sets);
  }

  /** Collect the sets that a field names. */
  static ObservedCells in(CellField field) {
    Set<SparseCells> found = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(field, found);
    return new ObservedCells(found);
  }

  private static void collect(CellField field, Set<SparseCells> found) {
    if (field instanceof Observed observed) {
      found.add(observed.cells());
    } else if (field instanceof Product product) {
      product.factors().forEach(factor -> collect(factor, found));
    } else if (field instanceof Linear linear) {
      linear.terms().forEach(term -> collect(term.field(), found));
    } else if (field instanceof Apply apply) {
      apply.arguments().forEach(argument -> collect(argument, found));
    }
  }

  /** Return whether another names the same sets. */
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
   * @return how many there are
   */
  public int list(int user, int firstItem, int count, int[] items) {
    int listed = 0;
    for (SparseCells set : sets) {
      long address = set.itemsByUser().memoryAddress();
      int start = set.lowerBound(user, firstItem);
      int last = set.userStart(user + 1);
      int end = start;
      while (end < last && NativeInts.at(address, end) < firstItem + count) {
        end++;
      }
      listed = merge(items, listed, address, start, end);
    }
    return listed;
  }

  /** Merge ascending items at positions of an address into ascending ones, each once. */
  private static int merge(int[] items, int count, long address, int start, int end) {
    int common = 0;
    int at = 0;
    for (int p = start; p < end && at < count; p++) {
      int item = NativeInts.at(address, p);
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
      int item = NativeInts.at(address, p);
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
