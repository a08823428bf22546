package org.pecf.plugin.baselines;

import java.util.Arrays;

/**
 * The strongest of the entries offered for a row; of equal ones those offered first.
 *
 * <p>They form a heap whose root is the worst of them: the weakest, and the last of equals.
 */
final class Neighbours {
  private final int[] columns;
  private final float[] strengths;
  private int count;

  /** Create an empty heap for at most the given number of entries. */
  Neighbours(int limit) {
    columns = new int[limit];
    strengths = new float[limit];
  }

  /** Keep a column if it is among the strongest; offer columns in ascending order. */
  void offer(int column, float strength) {
    if (count < columns.length) {
      rise(count++, column, strength);
    } else if (strength > strengths[0]) {
      sink(column, strength);
    }
  }

  private void rise(int hole, int column, float strength) {
    int place = hole;
    while (place > 0 && worse(column, strength, (place - 1) / 2)) {
      move((place - 1) / 2, place);
      place = (place - 1) / 2;
    }
    columns[place] = column;
    strengths[place] = strength;
  }

  private void sink(int column, float strength) {
    int place = 0;
    while (true) {
      int child = 2 * place + 1;
      if (child >= count) {
        break;
      }
      if (child + 1 < count && worse(columns[child + 1], strengths[child + 1], child)) {
        child++;
      }
      if (worse(column, strength, child)) {
        break;
      }
      move(child, place);
      place = child;
    }
    columns[place] = column;
    strengths[place] = strength;
  }

  private boolean worse(int column, float strength, int place) {
    return strength < strengths[place] || strength == strengths[place] && column > columns[place];
  }

  private void move(int from, int to) {
    columns[to] = columns[from];
    strengths[to] = strengths[from];
  }

  /**
   * Write the columns kept, in ascending order, and empty the heap.
   *
   * @param target at least as long as the limit. Modified.
   * @return how many there are
   */
  int drainTo(int[] target) {
    System.arraycopy(columns, 0, target, 0, count);
    Arrays.sort(target, 0, count);
    int kept = count;
    count = 0;
    return kept;
  }
}
