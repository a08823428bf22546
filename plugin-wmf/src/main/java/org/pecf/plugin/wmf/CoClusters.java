package org.pecf.plugin.wmf;

import java.util.SplittableRandom;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Seed;

/**
 * A sampler of overlapping clusters of users and items. Every positive belongs to one cluster, k
 * with a probability in proportion to {@code (a_ik + prior) (b_jk + prior) / (n_k + prior items)},
 * where a_ik, b_jk and n_k count the other positives of its user, of its item and of all in k. They
 * are drawn anew in turn: collapsed Gibbs sampling of latent Dirichlet allocation.
 */
final class CoClusters {
  private final int[] cellUsers;
  private final int[] cellItems;
  private final double prior;
  private final int[] chosen;
  private final int[][] ofUsers;
  private final int[][] ofItems;
  private final int[] ofAll;
  private final double[] chances;

  /**
   * Create a sampler in which every positive has a cluster by chance.
   *
   * @param cellUsers the users of the positives. Not modified.
   * @param cellItems the items of the positives. Not modified.
   */
  CoClusters(
      GridShape shape, int[] cellUsers, int[] cellItems, int clusters, double prior, Seed seed) {
    this.cellUsers = cellUsers;
    this.cellItems = cellItems;
    this.prior = prior;
    this.chosen = new int[cellUsers.length];
    this.ofUsers = new int[shape.users()][clusters];
    this.ofItems = new int[shape.items()][clusters];
    this.ofAll = new int[clusters];
    this.chances = new double[clusters];
    SplittableRandom random = seed.random();
    for (int cell = 0; cell < chosen.length; cell++) {
      chosen[cell] = random.nextInt(clusters);
      count(cell, 1);
    }
  }

  /** Draw the cluster of every positive anew, some times. */
  void sweep(int sweeps, Seed seed, Cancellation cancellation) {
    SplittableRandom random = seed.random();
    for (int sweep = 0; sweep < sweeps; sweep++) {
      cancellation.check();
      for (int cell = 0; cell < chosen.length; cell++) {
        count(cell, -1);
        double[] cumulated = cumulatedChances(cellUsers[cell], cellItems[cell]);
        double drawn = random.nextDouble() * cumulated[cumulated.length - 1];
        int cluster = 0;
        while (cluster < cumulated.length - 1 && cumulated[cluster] <= drawn) {
          cluster++;
        }
        chosen[cell] = cluster;
        count(cell, 1);
      }
    }
  }

  private void count(int cell, int change) {
    ofUsers[cellUsers[cell]][chosen[cell]] += change;
    ofItems[cellItems[cell]][chosen[cell]] += change;
    ofAll[chosen[cell]] += change;
  }

  /** Return the sums of the chances of the first clusters, for a positive that is not counted. */
  double[] cumulatedChances(int user, int item) {
    double sum = 0;
    for (int k = 0; k < chances.length; k++) {
      sum +=
          (ofUsers[user][k] + prior)
              * (ofItems[item][k] + prior)
              / (ofAll[k] + prior * ofItems.length);
      chances[k] = sum;
    }
    return chances;
  }

  /**
   * Return how strongly each user belongs to each cluster, cluster by cluster: by the share of the
   * user's positives in it.
   */
  float[][] users() {
    return shares(ofUsers);
  }

  /** Return how strongly each item belongs to each cluster, cluster by cluster. */
  float[][] items() {
    return shares(ofItems);
  }

  private float[][] shares(int[][] counts) {
    float[][] shares = new float[ofAll.length][counts.length];
    for (int row = 0; row < counts.length; row++) {
      double sum = prior * ofAll.length;
      for (int count : counts[row]) {
        sum += count;
      }
      for (int k = 0; k < ofAll.length; k++) {
        shares[k][row] = (float) ((counts[row][k] + prior) / sum);
      }
    }
    return shares;
  }
}
