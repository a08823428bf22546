package org.pecf.plugin.related.accams;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Seed;

/** The sampler against the joint distribution written out: dense covariances, no shortcuts. */
class GibbsStencilTest {
  private static final double[][] TARGETS = {{1, 0.2}, {0.9, -0.1}, {-0.4, 0.6}};
  private static final double[][] WEIGHTS = {{1, 0.5}, {2, 1}, {0, 1.5}};
  private static final double CONCENTRATION = 0.7;
  private static final double DEVIATION = 0.8;
  private static final double NOISE = 0.3;

  /** Return the logarithm of p(users, items, targets), with the entries integrated out. */
  private static double logJoint(int[] users, int[] items) {
    return logSeating(users) + logSeating(items) + logDensity(users, items);
  }

  /** Return the logarithm of the probability of a partition, customer after customer. */
  private static double logSeating(int[] clusters) {
    double logarithm = 0;
    for (int row = 0; row < clusters.length; row++) {
      int same = 0;
      for (int before = 0; before < row; before++) {
        same += clusters[before] == clusters[row] ? 1 : 0;
      }
      logarithm += Math.log((same > 0 ? same : CONCENTRATION) / (row + CONCENTRATION));
    }
    return logarithm;
  }

  /** Return the log density of the targets: normal, cells of one block sharing an entry. */
  private static double logDensity(int[] users, int[] items) {
    int count = 0;
    int[] cellUsers = new int[6];
    int[] cellItems = new int[6];
    for (int user = 0; user < 3; user++) {
      for (int item = 0; item < 2; item++) {
        if (WEIGHTS[user][item] > 0) {
          cellUsers[count] = user;
          cellItems[count++] = item;
        }
      }
    }
    double[][] covariance = new double[count][count];
    double[] values = new double[count];
    for (int a = 0; a < count; a++) {
      values[a] = TARGETS[cellUsers[a]][cellItems[a]];
      for (int b = 0; b < count; b++) {
        boolean together =
            users[cellUsers[a]] == users[cellUsers[b]]
                && items[cellItems[a]] == items[cellItems[b]];
        covariance[a][b] =
            (together ? DEVIATION * DEVIATION : 0)
                + (a == b ? NOISE / WEIGHTS[cellUsers[a]][cellItems[a]] : 0);
      }
    }
    // Cholesky: the density of independent numbers after a triangular change of variables.
    double logarithm = 0;
    for (int row = 0; row < count; row++) {
      for (int column = 0; column <= row; column++) {
        double sum = covariance[row][column];
        for (int k = 0; k < column; k++) {
          sum -= covariance[row][k] * covariance[column][k];
        }
        covariance[row][column] = row == column ? Math.sqrt(sum) : sum / covariance[column][column];
      }
      for (int k = 0; k < row; k++) {
        values[row] -= covariance[row][k] * values[k];
      }
      values[row] /= covariance[row][row];
      logarithm -=
          0.5 * (values[row] * values[row] + Math.log(2 * Math.PI))
              + Math.log(covariance[row][row]);
    }
    return logarithm;
  }

  private static double[] normalised(double[] logarithms) {
    double largest = Arrays.stream(logarithms).max().orElseThrow();
    double[] weights = Arrays.stream(logarithms).map(x -> Math.exp(x - largest)).toArray();
    double total = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(x -> x / total).toArray();
  }

  @Test
  void conditionalsAreThoseOfTheJointDistribution() {
    int[][] seatingsOfUsers = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 2}};
    int[][] seatingsOfItems = {{0, 0}, {0, 1}};
    try (Training training = new Training(TARGETS, WEIGHTS);
        Observations observations = training.observations(1, 1)) {
      for (int[] users : seatingsOfUsers) {
        for (int[] items : seatingsOfItems) {
          for (int user = 0; user < 3; user++) {
            assertConditional(observations, users, items, Side.USERS, user);
          }
          for (int item = 0; item < 2; item++) {
            assertConditional(observations, users, items, Side.ITEMS, item);
          }
        }
      }
    }
  }

  private static void assertConditional(
      Observations observations, int[] users, int[] items, Side side, int row) {
    Stencil stencil = new Stencil(users.clone(), items.clone(), 4, 4, new double[16]);
    GibbsStencil gibbs = new GibbsStencil(observations, stencil, CONCENTRATION, DEVIATION);
    gibbs.sumUp(NOISE);
    gibbs.leave(side, row);
    double[] actual = normalised(gibbs.logWeights(side));
    double[] expected = new double[4];
    Arrays.fill(expected, Double.NEGATIVE_INFINITY);
    boolean opened = false;
    for (int cluster = 0; cluster < 4; cluster++) {
      int[] own = (side == Side.USERS ? users : items).clone();
      int candidate = cluster;
      own[row] = -1;
      boolean empty = Arrays.stream(own).noneMatch(other -> other == candidate);
      own[row] = cluster;
      if (!empty || !opened) {
        expected[cluster] = side == Side.USERS ? logJoint(own, items) : logJoint(users, own);
        opened |= empty;
      }
    }
    assertArrayEquals(
        normalised(expected),
        actual,
        1e-6,
        side + " " + row + " of " + Arrays.toString(users) + " x " + Arrays.toString(items));
  }

  @Test
  void aFullStencilOpensNoCluster() {
    try (Training training = new Training(TARGETS, WEIGHTS);
        Observations observations = training.observations(1, 1)) {
      Stencil stencil = new Stencil(new int[] {0, 1, 1}, new int[] {0, 1}, 2, 2, new double[4]);
      GibbsStencil gibbs = new GibbsStencil(observations, stencil, CONCENTRATION, DEVIATION);
      gibbs.sumUp(NOISE);
      gibbs.leave(Side.USERS, 2);
      double[] actual = normalised(gibbs.logWeights(Side.USERS));
      double[] expected =
          normalised(
              new double[] {
                logJoint(new int[] {0, 1, 0}, new int[] {0, 1}),
                logJoint(new int[] {0, 1, 1}, new int[] {0, 1})
              });
      assertArrayEquals(expected, actual, 1e-6);
    }
  }

  @Test
  void sweepsVisitPartitionsAsOftenAsThePosteriorSays() {
    int sweeps = 40000;
    Map<String, Double> visits = new HashMap<>();
    try (Training training = new Training(TARGETS, WEIGHTS);
        Observations observations = training.observations(1, 1)) {
      Stencil stencil = new Stencil(new int[3], new int[2], 4, 4, new double[16]);
      GibbsStencil gibbs = new GibbsStencil(observations, stencil, CONCENTRATION, DEVIATION);
      Draws draws = new Draws(new Seed(3));
      for (int sweep = 0; sweep < sweeps; sweep++) {
        gibbs.sweep(NOISE, draws, () -> false);
        visits.merge(name(stencil.users(), stencil.items()), 1.0 / sweeps, Double::sum);
      }
    }
    int[][] seatingsOfUsers = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}};
    int[][] seatingsOfItems = {{0, 0}, {0, 1}};
    double[] logarithms = new double[10];
    for (int k = 0; k < 10; k++) {
      logarithms[k] = logJoint(seatingsOfUsers[k / 2], seatingsOfItems[k % 2]);
    }
    double[] posterior = normalised(logarithms);
    for (int k = 0; k < 10; k++) {
      String name = name(seatingsOfUsers[k / 2], seatingsOfItems[k % 2]);
      assertEquals(posterior[k], visits.getOrDefault(name, 0.0), 0.015, name);
    }
  }

  private static String name(int[] users, int[] items) {
    return Arrays.toString(canonical(users)) + " x " + Arrays.toString(canonical(items));
  }

  /** Number clusters in the order of their first members. */
  private static int[] canonical(int[] clusters) {
    Map<Integer, Integer> labels = new HashMap<>();
    return Arrays.stream(clusters)
        .map(cluster -> labels.computeIfAbsent(cluster, key -> labels.size()))
        .toArray();
  }

  @Test
  void entriesHaveTheConjugatePosterior() {
    try (Training training = new Training(TARGETS, WEIGHTS);
        Observations observations = training.observations(1, 1)) {
      Stencil stencil = new Stencil(new int[3], new int[2], 1, 1, new double[1]);
      GibbsStencil gibbs = new GibbsStencil(observations, stencil, CONCENTRATION, DEVIATION);
      Draws draws = new Draws(new Seed(4));
      // Weights 1, 0.5, 2, 1, 1.5 sum to 6; weighted targets 1 + 0.1 + 1.8 - 0.1 + 0.9 = 3.7.
      double precision = 1 / (DEVIATION * DEVIATION) + 6 / NOISE;
      double mean = 3.7 / NOISE / precision;
      double sum = 0;
      double squares = 0;
      int count = 20000;
      for (int k = 0; k < count; k++) {
        gibbs.sweep(NOISE, draws, () -> false);
        assertEquals(mean, gibbs.expected().entries()[0], 1e-6);
        double entry = gibbs.stencil().entries()[0];
        sum += entry;
        squares += (entry - mean) * (entry - mean);
      }
      assertEquals(mean, sum / count, 4 / Math.sqrt(precision * count));
      assertEquals(1 / precision, squares / count, 0.05 / precision);
    }
  }
}
