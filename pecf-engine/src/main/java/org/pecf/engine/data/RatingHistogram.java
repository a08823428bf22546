package org.pecf.engine.data;

import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.arrow.memory.ArrowBuf;

/** Count how often each rating value occurs, as long as there are few different ones. */
final class RatingHistogram {
  private static final int LIMIT = 64;

  private final float[] values = new float[LIMIT];
  private final long[] counts = new long[LIMIT];
  private int size;
  private boolean exceeded;

  /**
   * Count the ratings of a batch.
   *
   * @param ratings floats. Not modified.
   * @param count how many
   */
  synchronized void add(ArrowBuf ratings, int count) {
    int place = 0;
    for (int k = 0; k < count && !exceeded; k++) {
      // Adding zero turns the negative zero into the positive one.
      float value = ratings.getFloat((long) k * Float.BYTES) + 0f;
      if (place >= size || values[place] != value) {
        place = placeOf(value);
      }
      if (place < LIMIT) {
        counts[place]++;
      }
    }
  }

  private int placeOf(float value) {
    int place = 0;
    while (place < size && values[place] != value) {
      place++;
    }
    if (place == size) {
      if (size == LIMIT) {
        exceeded = true;
      } else {
        values[size++] = value;
      }
    }
    return place;
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
