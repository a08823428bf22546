package org.pecf.plugin.related.accams;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;
import org.pecf.testkit.fixture.DirectParallelism;

/** ACCAMS against planted co-clusterings, its objective and hand-computed entries. */
class AccamsTest {
  private static AccamsProvider.Options options(
      int stencils, int clusters, int iterations, double lambda) {
    return new AccamsProvider.Options(stencils, clusters, iterations, 10, 3, lambda, 1);
  }

  /** Return a co-clustering of 3 x 3 clusters, users and items of no particular order. */
  static double[][] planted(int users, int items) {
    double[][] entries = {{1, 0, 0.5}, {0, 1, 0.25}, {0.75, 0.5, 0}};
    double[][] targets = new double[users][items];
    for (int user = 0; user < users; user++) {
      for (int item = 0; item < items; item++) {
        targets[user][item] = entries[user * user % 7 % 3][(item * 5 + item / 4) % 3];
      }
    }
    return targets;
  }

  @Test
  void recoversAPlantedCoClusteringExactly() {
    double[][] targets = planted(30, 24);
    for (long seed = 1; seed <= 10; seed++) {
      try (Training training = new Training(targets)) {
        double[][] scores = training.scores(new Accams(options(1, 3, 1, 0)), seed);
        for (int user = 0; user < 30; user++) {
          assertArrayEquals(targets[user], scores[user], 1e-5, "seed " + seed);
        }
      }
    }
  }

  @Test
  void recoversASumOfTwoCoClusterings() {
    double[][] first = planted(40, 36);
    double[][] targets = new double[40][36];
    for (int user = 0; user < 40; user++) {
      for (int item = 0; item < 36; item++) {
        targets[user][item] = first[user][item] + (user / 10 % 2 == item / 9 % 2 ? 0.3 : 0);
      }
    }
    double one = error(targets, options(1, 3, 30, 0));
    double three = error(targets, options(3, 3, 30, 0));
    assertTrue(three < one / 10, "one stencil leaves " + one + ", three leave " + three);
  }

  private static double error(double[][] targets, AccamsProvider.Options options) {
    try (Training training = new Training(targets)) {
      training.scores(new Accams(options), 4);
      List<TrainingStep> steps = training.listener.events(TrainingStep.class);
      return steps.get(steps.size() - 1).measures().get("error");
    }
  }

  @Test
  void noSweepRaisesTheObjective() {
    double[][] targets = Training.random(30, 25, 5);
    double[][] weights = Training.random(30, 25, 6);
    for (double lambda : new double[] {0, 0.5, 5}) {
      try (Training training = new Training(targets, weights)) {
        double[][] scores =
            training.scores(
                new Accams(new AccamsProvider.Options(4, 4, 12, 1, 1, lambda, 1)), (long) lambda);
        List<TrainingStep> steps = training.listener.events(TrainingStep.class);
        assertEquals(12, steps.size());
        double before = Double.POSITIVE_INFINITY;
        for (TrainingStep step : steps) {
          double objective = step.measures().get("objective");
          assertTrue(objective <= before * (1 + 1e-6), step.summary() + " after " + before);
          before = objective;
        }
        assertEquals(
            weightedError(targets, weights, scores),
            steps.get(11).measures().get("error"),
            1e-5,
            "the reported error is that of the model");
      }
    }
  }

  private static double weightedError(double[][] targets, double[][] weights, double[][] scores) {
    double sum = 0;
    double weight = 0;
    for (int user = 0; user < targets.length; user++) {
      for (int item = 0; item < targets[user].length; item++) {
        sum += weights[user][item] * Math.pow(targets[user][item] - scores[user][item], 2);
        weight += weights[user][item];
      }
    }
    return sum / weight;
  }

  @Test
  void noTurnRaisesTheObjective() {
    double[][] targets = Training.random(20, 30, 7);
    double[][] weights = Training.random(20, 30, 8);
    double lambda = 0.3;
    try (Training training = new Training(targets, weights);
        Observations observations = training.observations(1, 1)) {
      Stencil stencil = Stencil.blank(20, 30, 5);
      new StencilStart(observations, () -> false).draw(stencil, 2, new Seed(9));
      StencilFit fit = new StencilFit(observations, stencil, lambda, new DirectParallelism());
      double before = objective(targets, weights, stencil, lambda);
      double blank = before;
      double gain = fit.refit();
      before = assertNotAbove(before, objective(targets, weights, stencil, lambda), "entries");
      assertEquals(before - blank, gain, 1e-5, "the gain is what it changed");
      for (int round = 0; round < 4; round++) {
        for (Side side : Side.values()) {
          fit.assign(side);
          before = assertNotAbove(before, objective(targets, weights, stencil, lambda), "moves");
          boolean settled = fit.settleEmptyClusters(side);
          assertTrue(settled || round > 0, "three of five clusters were empty");
          before = assertNotAbove(before, objective(targets, weights, stencil, lambda), "settling");
          gain = fit.refit();
          before = assertNotAbove(before, objective(targets, weights, stencil, lambda), "entries");
          assertEquals(before - blank, gain, 1e-5);
        }
      }
    }
  }

  private static double assertNotAbove(double before, double after, String turn) {
    assertTrue(
        after <= before + 1e-6, turn + " raised the objective from " + before + " to " + after);
    return after;
  }

  private static double objective(
      double[][] targets, double[][] weights, Stencil stencil, double lambda) {
    double sum = 0;
    for (int user = 0; user < targets.length; user++) {
      for (int item = 0; item < targets[user].length; item++) {
        double residual = (float) targets[user][item] - stencil.valueAt(user, item);
        sum += weights[user][item] * residual * residual;
      }
    }
    for (double entry : stencil.entries()) {
      sum += lambda * entry * entry;
    }
    return sum;
  }

  @Test
  void entriesAreShrunkWeightedMeans() {
    double[][] targets = {{1, 2, 4}, {3, 5, 8}};
    double[][] weights = {{1, 2, 1}, {0, 1, 3}};
    try (Training training = new Training(targets, weights);
        Observations observations = training.observations(1, 1)) {
      Stencil stencil = new Stencil(new int[] {0, 1}, new int[] {1, 1, 0}, 2, 2, new double[4]);
      new StencilFit(observations, stencil, 0.5, new DirectParallelism()).refit();
      // User 0: items 0 and 1 are of cluster 1, with 1 * 1 + 2 * 2 of weight 3; and so on.
      assertArrayEquals(
          new double[] {4 / 1.5, 5 / 3.5, 24 / 3.5, 5 / 1.5}, stencil.entries(), 1e-6);
    }
  }
}
