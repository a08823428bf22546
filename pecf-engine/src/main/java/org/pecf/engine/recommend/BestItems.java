package org.pecf.engine.recommend;

import java.util.Arrays;

/**
 * The best items of one user seen so far.
 *
 * <p>Items above a threshold are collected. Whenever the buffer is full, all but the best are
 * dropped, which raises the threshold, so most items cost one comparison. An item is held as a
 * number that is smaller for a higher score, and for equal scores smaller for a smaller item.
 */
final class BestItems {
  private final int depth;
  private final long[] keys;
  private int count;
  private float threshold = Float.NEGATIVE_INFINITY;
  private long last = Long.MAX_VALUE;

  /**
   * Create an empty list.
   *
   * @param depth the largest number of items to keep, at least 1
   */
  BestItems(int depth) {
    this.depth = depth;
    this.keys = new long[Math.max(64, 2 * depth)];
  }

  /**
   * See an item, none twice.
   *
   * @param score its score; NaN for an item that must not be kept
   */
  void offer(int item, float score) {
    // NaN compares false with everything.
    if (score >= threshold) {
      long key = key(score, item);
      if (key < last) {
        keys[count++] = key;
        if (count == keys.length) {
          dropRest();
        }
      }
    }
  }

  /** Return a score that an item must reach to be among the best. */
  float threshold() {
    return threshold;
  }

  private void dropRest() {
    Arrays.sort(keys, 0, count);
    count = Math.min(count, depth);
    if (count == depth) {
      last = keys[depth - 1];
      threshold = score(last);
    }
  }

  /** Return the best items in order. */
  Ranker.Ranked ranked(int user) {
    dropRest();
    int[] items = new int[count];
    float[] scores = new float[count];
    for (int k = 0; k < count; k++) {
      items[k] = (int) keys[k];
      scores[k] = score(keys[k]);
    }
    return new Ranker.Ranked(user, items, scores);
  }

  /** Return a number that is smaller for a higher score, then for a smaller item. */
  static long key(float score, int item) {
    // Adding zero turns negative zero into positive zero.
    int bits = Float.floatToRawIntBits(score + 0f);
    int ascending = bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    return ((long) ~ascending << 32) | item;
  }

  /** Return the score in such a number. */
  static float score(long key) {
    int ascending = ~(int) (key >> 32);
    return Float.intBitsToFloat(ascending ^ ((ascending >> 31) & Integer.MAX_VALUE));
  }
}
