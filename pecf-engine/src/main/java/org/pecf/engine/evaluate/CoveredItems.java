package org.pecf.engine.evaluate;

import java.util.Arrays;
import java.util.List;

/** The smallest cutoff at which each item appears in any list. */
final class CoveredItems {
  private final int[] cutoffs;
  private final int[] cutoffIndexOfPlace;
  private final int[] firstIndex;

  CoveredItems(List<Integer> cutoffs, int items, int depth) {
    this.cutoffs = cutoffs.stream().mapToInt(Integer::intValue).sorted().toArray();
    this.firstIndex = new int[items];
    Arrays.fill(firstIndex, this.cutoffs.length);
    this.cutoffIndexOfPlace = new int[depth];
    int index = 0;
    for (int place = 0; place < depth; place++) {
      while (this.cutoffs[index] <= place) {
        index++;
      }
      cutoffIndexOfPlace[place] = index;
    }
  }

  /** Note an item; places are counted from 0. */
  void add(int item, int place) {
    firstIndex[item] = Math.min(firstIndex[item], cutoffIndexOfPlace[place]);
  }

  /** Return the share of items in any list cut at one of the cutoffs. */
  double share(int cutoff) {
    long covered =
        Arrays.stream(firstIndex).filter(k -> k < cutoffs.length && cutoffs[k] <= cutoff).count();
    return (double) covered / firstIndex.length;
  }
}
