package org.pecf.plugin.backend.cpu.ranking;

import java.util.Arrays;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.memory.Selection;

/**
 * The best items seen so far. Items above a threshold are collected, and now and then all but the
 * best are dropped, which raises the threshold. Most items are rejected by one comparison.
 *
 * <p>Items are held as numbers that ascend from the best to the worst: the inverted bits of the
 * score above those of the item, by which equal scores are ordered.
 */
final class LeadingItems {
  private final int depth;
  private final long[] keys;
  private int count;
  private float threshold = Float.NEGATIVE_INFINITY;

  /**
   * Create an empty list.
   *
   * @param run the most items that are offered at once
   */
  LeadingItems(int depth, int run) {
    this.depth = depth;
    this.keys = new long[depth + run];
  }

  /**
   * Offer consecutive items, all above those offered before.
   *
   * @param offered their scores; NaN for items to be skipped. Not modified.
   */
  void offer(int firstItem, float[] offered, int offeredCount) {
    if (count < depth) {
      // No threshold yet: a score may be anything but NaN.
      for (int p = 0; p < offeredCount; p++) {
        if (offered[p] == offered[p]) {
          keys[count++] = key(offered[p], firstItem + p);
        }
      }
    } else {
      float least = threshold;
      for (int p = 0; p < offeredCount; p++) {
        // An equal score does not displace an earlier item.
        if (offered[p] > least) {
          keys[count++] = key(offered[p], firstItem + p);
        }
      }
    }
    if (count > depth) {
      Selection.select(keys, count, depth);
      count = depth;
    }
    if (count == depth) {
      long worst = keys[0];
      for (int k = 1; k < depth; k++) {
        worst = Math.max(worst, keys[k]);
      }
      threshold = score(worst);
    }
  }

  /** Write the kept items, best first; nothing is kept afterwards. */
  void writeTo(RankedItems ranked, int row, int[] items, float[] scores) {
    Arrays.sort(keys, 0, count);
    for (int k = 0; k < count; k++) {
      items[k] = (int) keys[k];
      scores[k] = score(keys[k]);
    }
    ranked.set(row, count, items, scores);
    count = 0;
    threshold = Float.NEGATIVE_INFINITY;
  }

  /** Return a number that is smaller for a higher score, then for a smaller item. */
  private static long key(float score, int item) {
    // Adding zero makes negative zero positive.
    int bits = Float.floatToRawIntBits(score + 0f);
    int ascending = bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    return ((long) ~ascending << 32) | item;
  }

  private static float score(long key) {
    int ascending = ~(int) (key >> 32);
    return Float.intBitsToFloat(ascending ^ ((ascending >> 31) & Integer.MAX_VALUE));
  }
}
