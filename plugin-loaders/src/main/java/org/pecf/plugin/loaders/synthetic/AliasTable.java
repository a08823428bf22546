package org.pecf.plugin.loaders.synthetic;

import java.util.SplittableRandom;

/** A table from which indices are drawn in proportion to weights, in constant time (Walker). */
final class AliasTable {
  private final double[] weights;
  private final double[] thresholds;
  private final int[] aliases;

  /**
   * Create a table.
   *
   * @param weights positive numbers, kept by the table. Not modified.
   */
  AliasTable(double[] weights) {
    int size = weights.length;
    this.weights = weights;
    this.thresholds = new double[size];
    this.aliases = new int[size];
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    int[] small = new int[size];
    int[] large = new int[size];
    int smalls = 0;
    int larges = 0;
    for (int i = 0; i < size; i++) {
      thresholds[i] = weights[i] * size / sum;
      aliases[i] = i;
      if (thresholds[i] < 1) {
        small[smalls++] = i;
      } else {
        large[larges++] = i;
      }
    }
    while (smalls > 0 && larges > 0) {
      int poor = small[--smalls];
      int rich = large[larges - 1];
      aliases[poor] = rich;
      thresholds[rich] -= 1 - thresholds[poor];
      if (thresholds[rich] < 1) {
        larges--;
        small[smalls++] = rich;
      }
    }
    // The rest differ from 1 by rounding only.
    while (larges > 0) {
      thresholds[large[--larges]] = 1;
    }
    while (smalls > 0) {
      thresholds[small[--smalls]] = 1;
    }
  }

  double weight(int index) {
    return weights[index];
  }

  int draw(SplittableRandom random) {
    int index = random.nextInt(thresholds.length);
    return random.nextDouble() < thresholds[index] ? index : aliases[index];
  }
}
