package org.pecf.backend.cpu.ranking;

import org.pecf.api.compute.RankedItems;

/**
 * Keep the best items seen, in a heap whose root is the worst kept: most items are turned away by
 * one comparison.
 */
final class BestItems {
  private final int[] items;
  private final float[] scores;
  private int count;

  BestItems(int depth) {
    items = new int[depth];
    scores = new float[depth];
  }

  /**
   * See consecutive items, all above those seen before.
   *
   * @param offered their scores; NaN for items that are not to be kept. Not modified.
   */
  void offer(int firstItem, float[] offered, int offeredCount) {
    int p = 0;
    for (; p < offeredCount && count < items.length; p++) {
      if (offered[p] == offered[p]) {
        items[count] = firstItem + p;
        scores[count] = offered[p];
        siftUp(count++);
      }
    }
    if (p == offeredCount) {
      return;
    }
    float worst = scores[0];
    for (; p < offeredCount; p++) {
      // An equal score does not displace an earlier item.
      if (offered[p] > worst) {
        items[0] = firstItem + p;
        scores[0] = offered[p];
        siftDown(count);
        worst = scores[0];
      }
    }
  }

  /** Write the kept items, best first; the heap is used up. */
  void writeTo(RankedItems ranked, int row) {
    int kept = count;
    for (int last = kept - 1; last > 0; last--) {
      swap(0, last);
      siftDown(last);
    }
    ranked.set(row, kept, items, scores);
    count = 0;
  }

  private boolean worse(int a, int b) {
    return scores[a] < scores[b] || scores[a] == scores[b] && items[a] > items[b];
  }

  private void siftUp(int from) {
    int at = from;
    while (at > 0 && worse(at, (at - 1) / 2)) {
      swap(at, (at - 1) / 2);
      at = (at - 1) / 2;
    }
  }

  private void siftDown(int size) {
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        return;
      }
      if (child + 1 < size && worse(child + 1, child)) {
        child++;
      }
      if (!worse(child, at)) {
        return;
      }
      swap(at, child);
      at = child;
    }
  }

  private void swap(int a, int b) {
    int item = items[a];
    items[a] = items[b];
    items[b] = item;
    float score = scores[a];
    scores[a] = scores[b];
    scores[b] = score;
  }
}
