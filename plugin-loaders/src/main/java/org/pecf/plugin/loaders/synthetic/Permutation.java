package org.pecf.plugin.loaders.synthetic;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Random permutations. */
final class Permutation {
  private Permutation() {}

  /** Return the numbers from 0 on in a random order. */
  static int[] draw(int size, SplittableRandom random) {
    int[] order = IntStream.range(0, size).toArray();
    for (int i = size - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    return order;
  }
}
