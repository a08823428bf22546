package org.pecf.engine.data;

import java.util.SortedMap;
import java.util.TreeMap;

/** The frequency of each rating value, as long as there are few different ones. */
final class RatingHistogram {
  private static final int LIMIT = 64;

  /**
   * The lower bits of a float, which are zero for values such as halves up to 16; the upper ones
   * tell these apart.
   */
  private static final int LOWER_BITS = 19;

  private static final int SHORT_VALUES = 1 << Integer.SIZE - LOWER_BITS;

  private final float[] values = new float[LIMIT];
  private final long[] counts = new long[LIMIT];
  private int size;
  private volatile boolean exceeded;

  /**
   * Count the ratings of a batch.
   *
   * @param ratings floats. Not modified.
   * @param count the number of ratings
   */
  void add(OffHeapColumn ratings, int count) {
    int[] shortValues = new int[SHORT_VALUES];
    for (int k = 0; k < count; k++) {
      int bits = ratings.intAt(k);
      if (bits << Integer.SIZE - LOWER_BITS == 0) {
        shortValues[bits >>> LOWER_BITS]++;
      } else if (!exceeded) {
        add(Float.intBitsToFloat(bits), 1);
      }
    }
    for (int upper = 0; upper < SHORT_VALUES; upper++) {
      if (shortValues[upper] > 0) {
        add(Float.intBitsToFloat(upper << LOWER_BITS), shortValues[upper]);
      }
    }
  }

  private synchronized void add(float rating, int times) {
    // Adding zero turns negative zero into positive zero.
    float value = rating + 0f;
    int place = 0;
    while (place < size && values[place] != value) {
      place++;
    }
    if (place == LIMIT) {
      exceeded = true;
      return;
    }
    if (place == size) {
      values[size++] = value;
    }
    counts[place] += times;
  }

  /** Return the counts by value; empty if there were too many different values. */
  synchronized SortedMap<Float, Long> counts() {
    SortedMap<Float, Long> result = new TreeMap<>();
    for (int place = 0; place < size && !exceeded; place++) {
      result.put(values[place], counts[place]);
    }
    return result;
  }
}
