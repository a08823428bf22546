package org.pecf.plugin.related.accams;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.pecf.api.run.TrainingStep;

/** bACCAMS on planted co-clusterings, and its reports. */
class BaccamsTest {
  private static BaccamsProvider.Options options(
      int stencils, int clusters, int burnIn, int samples) {
    return new BaccamsProvider.Options(stencils, clusters, 1, 1, 1, 0.01, burnIn, samples, 2, 1);
  }

  @Test
  void recoversAPlantedCoClustering() {
    double[][] targets = AccamsTest.planted(36, 30);
    for (long seed = 1; seed <= 5; seed++) {
      try (Training training = new Training(targets)) {
        double[][] scores = training.scores(new Baccams(options(1, 10, 20, 5)), seed);
        for (int user = 0; user < 36; user++) {
          assertArrayEquals(targets[user], scores[user], 0.02, "seed " + seed + ", user " + user);
        }
        List<TrainingStep> steps = training.listener.events(TrainingStep.class);
        TrainingStep last = steps.get(steps.size() - 1);
        assertEquals(30, steps.size(), "20 sweeps, and 2 a sample");
        assertTrue(last.measures().get("user-clusters") <= 5, last.summary());
        assertTrue(last.measures().get("noise") < 1e-3, last.summary());
      }
    }
  }

  @Test
  void findsTheNoiseWhateverTheCellsWeigh() {
    double[][] targets = AccamsTest.planted(60, 50);
    double[][] noise = Training.random(60, 50, 9);
    for (int user = 0; user < 60; user++) {
      for (int item = 0; item < 50; item++) {
        targets[user][item] += 0.6 * (noise[user][item] - 0.5);
      }
    }
    for (double weight : new double[] {1, 0.2}) {
      double[][] weights = new double[60][50];
      for (double[] row : weights) {
        Arrays.fill(row, weight);
      }
      try (Training training = new Training(targets, weights)) {
        training.scores(new Baccams(options(1, 10, 20, 5)), 2);
        List<TrainingStep> steps = training.listener.events(TrainingStep.class);
        // A uniform number of width 0.6 has the variance 0.03.
        double mean =
            steps.subList(20, 30).stream()
                .mapToDouble(step -> step.measures().get("noise"))
                .average()
                .orElseThrow();
        assertEquals(0.03, mean, 0.004, "weight " + weight);
      }
    }
  }

  @Test
  void noDataLeavesThePrior() {
    double[][] nothing = new double[4][3];
    try (Training training = new Training(new double[4][3], nothing)) {
      double[][] scores = training.scores(new Baccams(options(2, 3, 3, 2)), 1);
      for (double[] user : scores) {
        assertArrayEquals(new double[3], user, 0, "the prior mean of every entry is zero");
      }
    }
  }
}
