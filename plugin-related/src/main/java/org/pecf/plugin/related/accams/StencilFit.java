package org.pecf.plugin.related.accams;

import java.util.Comparator;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Parallelism;

/**
 * The fit of a stencil to the residuals in steps that can only lower {@code sum w_ij (e_ij - T[c_i,
 * d_j])^2 + lambda |T|^2}: clusters of users, entries, clusters of items, entries.
 *
 * <p>While it is fitted, the stencil is not part of the prediction whose residuals these are.
 */
final class StencilFit {
  private static final int ROWS_PER_TASK = 64;

  private final Observations observations;
  private final Stencil stencil;
  private final double lambda;
  private final Parallelism parallelism;
  private final Profile[] profiles;

  StencilFit(Observations observations, Stencil stencil, double lambda, Parallelism parallelism) {
    this.observations = observations;
    this.stencil = stencil;
    this.lambda = lambda;
    this.parallelism = parallelism;
    this.profiles = new Profile[parallelism.threads()];
    int clusters = Math.max(stencil.userClusters(), stencil.itemClusters());
    for (int worker = 0; worker < profiles.length; worker++) {
      profiles[worker] = new Profile(clusters);
    }
  }

  /**
   * Repeat the steps until no cluster changes, or for the given number of rounds.
   *
   * @return the change of the objective by the stencil: 0 or below
   */
  double fit(int rounds) {
    double gain = refit();
    for (int round = 0; round < rounds; round++) {
      boolean changed = false;
      for (Side side : Side.values()) {
        changed |= assign(side);
        changed |= settleEmptyClusters(side);
        gain = refit();
      }
      if (!changed) {
        break;
      }
    }
    return gain;
  }

  /**
   * Set all entries to their optimum {@code sum w e / (sum w + lambda)}.
   *
   * @return the change of the objective by the stencil: 0 or below
   */
  double refit() {
    double[] weights = new double[stencil.entries().length];
    double[] sums = new double[weights.length];
    Profile profile = profiles[0];
    for (int user = 0; user < stencil.users().length; user++) {
      profile.read(observations, Side.USERS, user, stencil.items());
      for (int k = 0; k < profile.count(); k++) {
        int place = stencil.place(Side.USERS, stencil.users()[user], profile.cluster(k));
        weights[place] += profile.weights[profile.cluster(k)];
        sums[place] += profile.sums[profile.cluster(k)];
      }
    }
    double gain = 0;
    for (int place = 0; place < weights.length; place++) {
      double entry = weights[place] > 0 ? sums[place] / (weights[place] + lambda) : 0;
      stencil.entries()[place] = entry;
      gain -= entry * sums[place];
    }
    return gain;
  }

  /**
   * Move every user, or every item, to the cluster whose entries fit best. It stays in its cluster
   * if no other fits better.
   *
   * @return whether any moved
   */
  boolean assign(Side side) {
    int[] assignment = stencil.assignment(side);
    int tasks = (assignment.length + ROWS_PER_TASK - 1) / ROWS_PER_TASK;
    boolean[] changed = new boolean[tasks];
    parallelism.forEach(
        tasks,
        (index, worker) -> {
          int end = Math.min(assignment.length, (index + 1) * ROWS_PER_TASK);
          for (int row = index * ROWS_PER_TASK; row < end; row++) {
            profiles[worker].read(observations, side, row, stencil.assignment(side.other()));
            int best = assignment[row];
            double least = cost(side, best, profiles[worker]);
            for (int cluster = 0; cluster < stencil.clusters(side); cluster++) {
              double cost = cost(side, cluster, profiles[worker]);
              if (cost < least) {
                least = cost;
                best = cluster;
              }
            }
            changed[index] |= best != assignment[row];
            assignment[row] = best;
          }
        });
    boolean any = false;
    for (boolean change : changed) {
      any |= change;
    }
    return any;
  }

  /** Return the change of the squared residuals of a row by the entries of a cluster. */
  private double cost(Side side, int own, Profile profile) {
    double cost = 0;
    for (int k = 0; k < profile.count(); k++) {
      int other = profile.cluster(k);
      double entry = stencil.entries()[stencil.place(side, own, other)];
      cost += entry * (entry * profile.weights[other] - 2 * profile.sums[other]);
    }
    return cost;
  }

  /**
   * Give each empty cluster to the user, or item, that gains most by a cluster of its own, as long
   * as any gains.
   *
   * @return whether any cluster was given
   */
  boolean settleEmptyClusters(Side side) {
    int[] assignment = stencil.assignment(side);
    int[] sizes = new int[stencil.clusters(side)];
    for (int cluster : assignment) {
      sizes[cluster]++;
    }
    int[] empty = IntStream.range(0, sizes.length).filter(c -> sizes[c] == 0).toArray();
    if (empty.length == 0) {
      return false;
    }
    double[] gains = gains(side);
    PrimitiveIterator.OfInt candidates =
        IntStream.range(0, gains.length)
            .filter(row -> gains[row] > 1e-9)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingDouble(row -> -gains[row])
                    .thenComparing(Comparator.naturalOrder()))
            .limit(2L * empty.length)
            .mapToInt(Integer::intValue)
            .iterator();
    int settled = 0;
    while (settled < empty.length && candidates.hasNext()) {
      int row = candidates.next();
      if (sizes[assignment[row]] > 1) {
        sizes[assignment[row]]--;
        assignment[row] = empty[settled];
        own(side, row, empty[settled++]);
      }
    }
    return settled > 0;
  }

  /** Return the gain of each row by entries of its own. */
  private double[] gains(Side side) {
    int[] assignment = stencil.assignment(side);
    double[] gains = new double[assignment.length];
    Profile profile = profiles[0];
    for (int row = 0; row < gains.length; row++) {
      profile.read(observations, side, row, stencil.assignment(side.other()));
      gains[row] = cost(side, assignment[row], profile);
      for (int k = 0; k < profile.count(); k++) {
        int other = profile.cluster(k);
        double sum = profile.sums[other];
        gains[row] += sum * sum / (profile.weights[other] + lambda);
      }
    }
    return gains;
  }

  /** Set the entries of a cluster to the optimum of one row. */
  private void own(Side side, int row, int cluster) {
    Profile profile = profiles[0];
    profile.read(observations, side, row, stencil.assignment(side.other()));
    for (int other = 0; other < stencil.clusters(side.other()); other++) {
      double weight = profile.weights[other];
      stencil.entries()[stencil.place(side, cluster, other)] =
          weight > 0 ? profile.sums[other] / (weight + lambda) : 0;
    }
  }
}
