package org.pecf.plugin.related.accams;

import java.util.Arrays;
import org.pecf.api.memory.Side;

/** The weights and residuals of a user by cluster of items, or of an item by cluster of users. */
final class Profile {
  /** The sum of the weights of the cells in each cluster. */
  final double[] weights;

  /** The weighted sum of their residuals. */
  final double[] sums;

  private final int[] touched;
  private int count;

  Profile(int clusters) {
    weights = new double[clusters];
    sums = new double[clusters];
    touched = new int[clusters];
  }

  /**
   * Read the profile of a user or an item.
   *
   * @param others the clusters of the other side. Not modified.
   */
  void read(Observations observations, Side side, int row, int[] others) {
    for (int k = 0; k < count; k++) {
      weights[touched[k]] = 0;
      sums[touched[k]] = 0;
    }
    count = 0;
    int end = observations.start(side, row + 1);
    for (int place = observations.start(side, row); place < end; place++) {
      int cell = observations.cell(side, place);
      double weight = observations.weight(cell);
      if (weight > 0) {
        int cluster = others[observations.other(side, place)];
        if (weights[cluster] == 0) {
          touched[count++] = cluster;
        }
        weights[cluster] += weight;
        sums[cluster] += weight * observations.residual(cell);
      }
    }
    // Sums over clusters must not depend on the order of the cells.
    Arrays.sort(touched, 0, count);
  }

  /** Return the number of clusters that have weight. */
  int count() {
    return count;
  }

  /** Return one of the clusters that have weight, in ascending order. */
  int cluster(int k) {
    return touched[k];
  }
}
