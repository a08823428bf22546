package org.pecf.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The positives of the rows of one block, row by row, the other side ascending.
 *
 * <p>A cell names the other row by its place among the rows of the other side that the block needs:
 * those are sent to it, and no others.
 */
final class CellBlock implements Serializable {
  private static final long serialVersionUID = 1;

  private final int first;
  private final int[] starts;
  private final int[] places;
  private final int[] needed;

  private CellBlock(int first, int[] starts, int[] places, int[] needed) {
    this.first = first;
    this.starts = starts;
    this.places = places;
    this.needed = needed;
  }

  /**
   * Build the block.
   *
   * @param first its first row
   * @param rows the number of its rows
   * @param cells its cells, the row in the upper half of the bits and the other row in the lower,
   *     in any order, perhaps repeated. Modified.
   */
  static CellBlock of(int first, int rows, long[] cells) {
    Arrays.sort(cells);
    int count = 0;
    for (int p = 0; p < cells.length; p++) {
      if (p == 0 || cells[p] != cells[p - 1]) {
        cells[count++] = cells[p];
      }
    }
    int[] starts = new int[rows + 1];
    int[] others = new int[count];
    for (int p = 0; p < count; p++) {
      starts[(int) (cells[p] >>> 32) - first + 1]++;
      others[p] = (int) cells[p];
    }
    for (int row = 0; row < rows; row++) {
      starts[row + 1] += starts[row];
    }
    return ofSorted(first, starts, others);
  }

  /**
   * Build the block from cells in order.
   *
   * @param first its first row
   * @param starts where the cells of each row start, and where those of the last end
   * @param others the other row of each cell, ascending within a row. Not modified.
   */
  static CellBlock ofSorted(int first, int[] starts, int[] others) {
    BitSet present = new BitSet();
    for (int other : others) {
      present.set(other);
    }
    int[] needed = present.stream().toArray();
    // The place of a row is the number of needed rows before it: those before its word of bits, and
    // those before it in the word.
    long[] words = present.toLongArray();
    int[] before = new int[words.length + 1];
    for (int w = 0; w < words.length; w++) {
      before[w + 1] = before[w] + Long.bitCount(words[w]);
    }
    int[] places = new int[others.length];
    for (int p = 0; p < places.length; p++) {
      int word = others[p] / Long.SIZE;
      long lower = (1L << others[p]) - 1;
      places[p] = before[word] + Long.bitCount(words[word] & lower);
    }
    return new CellBlock(first, starts, places, needed);
  }

  /** Return a cell as a number. */
  static long cell(int row, int other) {
    return (long) row << 32 | other;
  }

  /** Return the first row of the block. */
  int first() {
    return first;
  }

  /** Return the number of rows. */
  int rows() {
    return starts.length - 1;
  }

  /** Return the number of cells. */
  int count() {
    return places.length;
  }

  /** Return the position of the first cell of a row, counted from the start of the block. */
  int start(int row) {
    return starts[row];
  }

  /** Return the place of a cell's other row among the needed ones. */
  int place(int position) {
    return places[position];
  }

  /** Return the other row of a cell. */
  int other(int position) {
    return needed[places[position]];
  }

  /** Return the position of the first cell of a row whose other row is at least the given one. */
  int lowerBound(int row, int other) {
    int low = starts[row];
    int high = starts[row + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (other(middle) < other) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Return the rows of the other side that the block needs, ascending. */
  int[] needed() {
    return needed;
  }
}
