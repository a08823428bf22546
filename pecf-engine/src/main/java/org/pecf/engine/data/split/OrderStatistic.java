package org.pecf.engine.data.split;

import org.apache.arrow.vector.BigIntVector;

/** A number selected by its rank in ascending order, without sorting: 16 bits per pass. */
final class OrderStatistic {
  private static final int BITS = 16;

  private OrderStatistic() {}

  /**
   * Return the number at a place of the ascending order.
   *
   * @param numbers in any order. Not modified.
   * @param place from 0 to the number of numbers - 1
   */
  static long of(BigIntVector numbers, int place) {
    int rest = place;
    // What is known of the result's upper bits, the sign flipped so that order is unsigned.
    long prefix = 0;
    for (int shift = Long.SIZE - BITS; shift >= 0; shift -= BITS) {
      int[] counts = new int[1 << BITS];
      for (int k = 0; k < numbers.getValueCount(); k++) {
        long number = numbers.get(k) ^ Long.MIN_VALUE;
        if (shift + BITS == Long.SIZE || number >>> (shift + BITS) == prefix) {
          counts[(int) (number >>> shift) & 0xffff]++;
        }
      }
      int digit = 0;
      while (rest >= counts[digit]) {
        rest -= counts[digit++];
      }
      prefix = prefix << BITS | digit;
    }
    return prefix ^ Long.MIN_VALUE;
  }
}
