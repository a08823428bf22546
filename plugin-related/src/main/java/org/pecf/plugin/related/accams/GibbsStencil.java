package org.pecf.plugin.related.accams;

import java.util.Arrays;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Cancellation;

/**
 * A sampler of a stencil, given the residuals of the other stencils.
 *
 * <p>The model: users and items are seated in clusters by two Chinese restaurant processes of one
 * concentration, cut off at the number of clusters the stencil has room for; entries T are normal
 * with mean zero; a residual is normal with mean {@code T[c_i, d_j]} and the noise as its variance.
 * A cell of weight w counts as w cells: its density is taken to the power w.
 *
 * <p>Clusters are sampled with the entries integrated out, one user or item at a time given all the
 * others: the seats of a Chinese restaurant depend on each other, so this is sequential, and exact.
 * With precision {@code A = 1 / deviation^2 + W / noise} and {@code B = R / noise} of a block, W
 * and R the sums of its weights and weighted residuals without the row, and w and r those of the
 * row divided by the noise, a cluster's probability is in proportion to its size (the concentration
 * for a new one) times {@code prod sqrt(A / (A + w)) exp((B + r)^2 / (2 (A + w)) - B^2 / (2 A))}
 * over the clusters of the other side.
 */
final class GibbsStencil {
  private static final int ROWS_PER_POLL = 256;

  private final Observations observations;
  private final Stencil stencil;
  private final double concentration;
  private final double priorPrecision;
  private final double[] weights;
  private final double[] sums;
  private final double[] means;
  private final int[] userSizes;
  private final int[] itemSizes;
  private final double[] logarithms;
  private final Profile profile;
  private double noise = 1;

  /**
   * Create a sampler.
   *
   * @param stencil its clusters are the start of the sampling. Modified.
   */
  GibbsStencil(Observations observations, Stencil stencil, double concentration, double deviation) {
    this.observations = observations;
    this.stencil = stencil;
    this.concentration = concentration;
    this.priorPrecision = 1 / (deviation * deviation);
    this.weights = new double[stencil.entries().length];
    this.sums = new double[weights.length];
    this.means = new double[weights.length];
    this.userSizes = new int[stencil.userClusters()];
    this.itemSizes = new int[stencil.itemClusters()];
    this.logarithms = new double[Math.max(userSizes.length, itemSizes.length)];
    this.profile = new Profile(logarithms.length);
  }

  /** Return the stencil with the entries drawn last. */
  Stencil stencil() {
    return stencil;
  }

  /** Return the stencil with the entries' means given the clusters drawn last. */
  Stencil expected() {
    return new Stencil(
            stencil.users(), stencil.items(), stencil.userClusters(), stencil.itemClusters(), means)
        .compacted();
  }

  /** Return the number of clusters of a side that have members. */
  int occupied(Side side) {
    int count = 0;
    for (int size : sizes(side)) {
      count += size > 0 ? 1 : 0;
    }
    return count;
  }

  /** Draw all clusters, then the entries; the stencil must not be part of the prediction. */
  void sweep(double newNoise, Draws draws, Cancellation cancellation) {
    sumUp(newNoise);
    for (Side side : Side.values()) {
      for (int row = 0; row < observations.count(side); row++) {
        if (row % ROWS_PER_POLL == 0) {
          cancellation.check();
        }
        leave(side, row);
        join(side, row, draws.index(logWeights(side)));
      }
    }
    drawEntries(draws);
  }

  /** Sum up clusters and blocks for the current residuals. */
  void sumUp(double newNoise) {
    noise = newNoise;
    Arrays.fill(weights, 0);
    Arrays.fill(sums, 0);
    Arrays.fill(userSizes, 0);
    Arrays.fill(itemSizes, 0);
    for (int cluster : stencil.items()) {
      itemSizes[cluster]++;
    }
    for (int user = 0; user < stencil.users().length; user++) {
      profile.read(observations, Side.USERS, user, stencil.items());
      join(Side.USERS, user, stencil.users()[user]);
    }
  }

  private int[] sizes(Side side) {
    return side == Side.USERS ? userSizes : itemSizes;
  }

  /** Read a row's profile and take the row out of its cluster. */
  void leave(Side side, int row) {
    profile.read(observations, side, row, stencil.assignment(side.other()));
    int own = stencil.assignment(side)[row];
    boolean last = --sizes(side)[own] == 0;
    for (int k = 0; k < profile.count(); k++) {
      int other = profile.cluster(k);
      int place = stencil.place(side, own, other);
      // An empty block is exactly zero, without rounding errors.
      weights[place] = last ? 0 : weights[place] - profile.weights[other];
      sums[place] = last ? 0 : sums[place] - profile.sums[other];
    }
  }

  /** Put the row whose profile was read last into a cluster. */
  private void join(Side side, int row, int own) {
    stencil.assignment(side)[row] = own;
    sizes(side)[own]++;
    for (int k = 0; k < profile.count(); k++) {
      int other = profile.cluster(k);
      int place = stencil.place(side, own, other);
      weights[place] += profile.weights[other];
      sums[place] += profile.sums[other];
    }
  }

  /**
   * Return the logarithms of the unnormalised probabilities of the clusters for the row that has
   * just left: the first empty cluster stands for a new one, other empty ones are impossible.
   */
  double[] logWeights(Side side) {
    Arrays.fill(logarithms, Double.NEGATIVE_INFINITY);
    boolean opened = false;
    int[] sizes = sizes(side);
    for (int own = 0; own < sizes.length; own++) {
      if (sizes[own] > 0 || !opened) {
        logarithms[own] =
            Math.log(sizes[own] > 0 ? sizes[own] : concentration) + logLikelihood(side, own);
        opened |= sizes[own] == 0;
      }
    }
    return logarithms;
  }

  private double logLikelihood(Side side, int own) {
    double determinants = 1;
    double logarithm = 0;
    double exponent = 0;
    for (int k = 0; k < profile.count(); k++) {
      int other = profile.cluster(k);
      int place = stencil.place(side, own, other);
      double before = priorPrecision + weights[place] / noise;
      double after = before + profile.weights[other] / noise;
      double mean = sums[place] / noise;
      double mixed = mean + profile.sums[other] / noise;
      determinants *= before / after;
      if (determinants < 1e-200) {
        logarithm += Math.log(determinants);
        determinants = 1;
      }
      exponent += mixed * mixed / after - mean * mean / before;
    }
    return 0.5 * (logarithm + Math.log(determinants) + exponent);
  }

  /** Draw the entries from their normal distributions given all clusters. */
  private void drawEntries(Draws draws) {
    for (int place = 0; place < weights.length; place++) {
      double precision = priorPrecision + weights[place] / noise;
      means[place] = sums[place] / noise / precision;
      stencil.entries()[place] = means[place] + draws.normal() / Math.sqrt(precision);
    }
  }
}
