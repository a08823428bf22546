package org.pecf.plugin.baselines;

/**
 * The most similar of the items offered; of equal ones those offered first.
 *
 * <p>They form a heap whose root is the worst of them: the least similar, and the last of equals.
 */
final class Neighbours {
  private final int[] items;
  private final float[] similarities;
  private int count;

  /** Create an empty heap for at most the given number of items. */
  Neighbours(int limit) {
    items = new int[limit];
    similarities = new float[limit];
  }

  /** Remove all items. */
  void clear() {
    count = 0;
  }

  /** Keep an item if it is among the most similar; offer items in ascending order. */
  void offer(int item, float similarity) {
    if (count < items.length) {
      rise(count++, item, similarity);
    } else if (similarity > similarities[0]) {
      sink(item, similarity);
    }
  }

  private void rise(int hole, int item, float similarity) {
    int place = hole;
    while (place > 0 && worse(item, similarity, (place - 1) / 2)) {
      move((place - 1) / 2, place);
      place = (place - 1) / 2;
    }
    items[place] = item;
    similarities[place] = similarity;
  }

  private void sink(int item, float similarity) {
    int place = 0;
    while (true) {
      int child = 2 * place + 1;
      if (child >= count) {
        break;
      }
      if (child + 1 < count && worse(items[child + 1], similarities[child + 1], child)) {
        child++;
      }
      if (worse(item, similarity, child)) {
        break;
      }
      move(child, place);
      place = child;
    }
    items[place] = item;
    similarities[place] = similarity;
  }

  private boolean worse(int item, float similarity, int place) {
    return similarity < similarities[place]
        || similarity == similarities[place] && item > items[place];
  }

  private void move(int from, int to) {
    items[to] = items[from];
    similarities[to] = similarities[from];
  }

  /**
   * Write the similarity of each kept item at the index of the item.
   *
   * @param row Modified.
   */
  void writeTo(float[] row) {
    for (int k = 0; k < count; k++) {
      row[items[k]] = similarities[k];
    }
  }
}
