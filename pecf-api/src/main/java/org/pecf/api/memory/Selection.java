package org.pecf.api.memory;

import org.apiguardian.api.API;

/** A partial sort that moves the smallest numbers to the front. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Selection {
  private Selection() {}

  /**
   * Reorder different numbers so that the smallest come first, in any order.
   *
   * @param keys Modified.
   * @param count the number of keys
   * @param smallest the number of keys wanted in front, less than count
   */
  public static void select(long[] keys, int count, int smallest) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
      long pivot = median(keys[low], keys[(low + high) >>> 1], keys[high]);
      int i = low;
      int j = high;
      while (i <= j) {
        while (keys[i] < pivot) {
          i++;
        }
        while (keys[j] > pivot) {
          j--;
        }
        if (i <= j) {
          long swapped = keys[i];
          keys[i++] = keys[j];
          keys[j--] = swapped;
        }
      }
      // Now low..j are at most the pivot and i..high at least.
      if (smallest - 1 <= j) {
        high = j;
      } else if (smallest - 1 >= i) {
        low = i;
      } else {
        return;
      }
    }
  }

  private static long median(long a, long b, long c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
