package org.pecf.api.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SelectionTest {
  @Test
  void movesTheSmallestToTheFront() {
    SplittableRandom random = new SplittableRandom(1);
    for (int count = 2; count < 200; count++) {
      long[] keys = random.longs(count).distinct().toArray();
      long[] sorted = keys.clone();
      Arrays.sort(sorted);
      int smallest = 1 + random.nextInt(count - 1);
      Selection.select(keys, count, smallest);
      long[] front = Arrays.copyOf(keys, smallest);
      Arrays.sort(front);
      assertArrayEquals(Arrays.copyOf(sorted, smallest), front, count + " " + smallest);
      Arrays.sort(keys);
      assertArrayEquals(sorted, keys);
    }
  }

  @Test
  void standsSortedAndReversedNumbers() {
    long[] ascending = {1, 2, 3, 4, 5, 6, 7};
    Selection.select(ascending, 7, 3);
    Arrays.sort(ascending, 0, 3);
    assertArrayEquals(new long[] {1, 2, 3}, Arrays.copyOf(ascending, 3));
    long[] descending = {7, 6, 5, 4, 3, 2, 1};
    Selection.select(descending, 7, 3);
    Arrays.sort(descending, 0, 3);
    assertArrayEquals(new long[] {1, 2, 3}, Arrays.copyOf(descending, 3));
  }
}
