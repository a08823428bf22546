package org.pecf.plugin.related.accams;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Seed;

/**
 * The initial clusters of a stencil: items at random; then users by their residuals on those groups
 * of items; then items by their residuals with those clusters of users.
 *
 * <p>The centres of clusters are drawn one after the other, each with a probability in proportion
 * to its squared distance from the nearest one so far, as in k-means++. Users with equal residuals
 * on every item are thus never centres of two clusters.
 */
final class StencilStart {
  private final Observations observations;
  private final Cancellation cancellation;

  StencilStart(Observations observations, Cancellation cancellation) {
    this.observations = observations;
    this.cancellation = cancellation;
  }

  /**
   * Draw the clusters.
   *
   * @param stencil its clusters are modified, its entries are not.
   * @param clusters the number of clusters to use, at most that of the stencil
   */
  void draw(Stencil stencil, int clusters, Seed seed) {
    SplittableRandom random = seed.random();
    for (int item = 0; item < stencil.items().length; item++) {
      stencil.items()[item] = random.nextInt(clusters);
    }
    cluster(Side.USERS, stencil, clusters, random);
    cluster(Side.ITEMS, stencil, clusters, random);
  }

  private void cluster(Side side, Stencil stencil, int clusters, SplittableRandom random) {
    int rows = observations.count(side);
    int[] assignment = stencil.assignment(side);
    int[] others = stencil.assignment(side.other());
    Arrays.fill(assignment, 0);
    double[] distances = new double[rows];
    Arrays.fill(distances, Double.POSITIVE_INFINITY);
    Profile profile = new Profile(stencil.clusters(side.other()));
    int centre = random.nextInt(rows);
    for (int cluster = 0; cluster < clusters && centre >= 0; cluster++) {
      cancellation.check();
      profile.read(observations, side, centre, others);
      double[] means = means(profile);
      for (int row = 0; row < rows; row++) {
        profile.read(observations, side, row, others);
        double distance = distance(profile, means);
        if (distance < distances[row]) {
          distances[row] = distance;
          assignment[row] = cluster;
        }
      }
      centre = draw(distances, random);
    }
  }

  private static double[] means(Profile profile) {
    double[] means = new double[profile.weights.length];
    for (int k = 0; k < profile.count(); k++) {
      int cluster = profile.cluster(k);
      means[cluster] = profile.sums[cluster] / profile.weights[cluster];
    }
    return means;
  }

  private static double distance(Profile profile, double[] means) {
    double sum = 0;
    for (int k = 0; k < profile.count(); k++) {
      int cluster = profile.cluster(k);
      double difference = profile.sums[cluster] / profile.weights[cluster] - means[cluster];
      sum += profile.weights[cluster] * difference * difference;
    }
    return sum;
  }

  /** Draw a row in proportion to its distance; return -1 if all rows coincide with centres. */
  private static int draw(double[] distances, SplittableRandom random) {
    double total = 0;
    for (double distance : distances) {
      total += distance;
    }
    double rest = random.nextDouble() * total;
    int last = -1;
    for (int row = 0; row < distances.length; row++) {
      // Rounding errors alone do not make a centre.
      if (distances[row] > 1e-9) {
        last = row;
        rest -= distances[row];
        if (rest < 0) {
          return row;
        }
      }
    }
    return last;
  }
}
