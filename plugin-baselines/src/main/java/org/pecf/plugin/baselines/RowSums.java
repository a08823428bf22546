package org.pecf.plugin.baselines;

import java.util.Arrays;

/** A sparse row of sums: a dense array, and the list of its columns that were added to. */
final class RowSums {
  private final double[] sums;
  private final boolean[] present;
  private final int[] columns;
  private int count;

  RowSums(int size) {
    sums = new double[size];
    present = new boolean[size];
    columns = new int[size];
  }

  void add(int column, double value) {
    if (!present[column]) {
      present[column] = true;
      columns[count++] = column;
    }
    sums[column] += value;
  }

  /** A receiver of the sums of a row. */
  @FunctionalInterface
  interface Receiver {
    void take(int column, double sum);
  }

  /** Pass on the sums by ascending column, and go back to zeros. */
  void drainTo(Receiver receiver) {
    Arrays.sort(columns, 0, count);
    for (int k = 0; k < count; k++) {
      int column = columns[k];
      receiver.take(column, sums[column]);
      sums[column] = 0;
      present[column] = false;
    }
    count = 0;
  }
}
