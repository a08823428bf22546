package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.support.Calibration;
import org.pecf.testkit.fixture.SparseProducts;
import org.pecf.testkit.fixture.TestGrids;

/** The map of scores to ratings, by hand. */
class CalibrationTest {
  private static final double[][] ONES = {{1, 1}, {1, 1}};

  private final Training training = new Training();

  @AfterEach
  void closeMemory() {
    training.close();
  }

  /** Return a model of rank 3 with the given scores, whose last factor is one for all users. */
  private FactorModel model(double[][] scores) {
    FactorModel model = FactorModel.allocate(training.allocator, new GridShape(2, 2), 3);
    for (int user = 0; user < 2; user++) {
      model.users().set(user, user, 1);
      model.users().set(user, 2, 1);
      for (int item = 0; item < 2; item++) {
        model.items().set(item, user, (float) scores[user][item]);
      }
    }
    return model;
  }

  @Test
  void findsALineExactly() {
    try (FactorModel model = model(new double[][] {{0, 1}, {2, 3}})) {
      Calibration fit = training.calibration(model, new double[][] {{-1, 1}, {3, 5}}, ONES);
      assertEquals(2, fit.slope(), 1e-6);
      assertEquals(-1, fit.intercept(), 1e-6);
      assertEquals(0, fit.error(), 1e-6);
      fit.fold(model, 2);
      double[][] mapped = Training.scores(model);
      assertEquals(-1, mapped[0][0], 1e-5);
      assertEquals(5, mapped[1][1], 1e-5);
    }
  }

  @Test
  void weighsCells() {
    // Scores 0, 0, 1, 1: the line goes through the weighted means of the targets at 0 and at 1.
    try (FactorModel model = model(new double[][] {{0, 0}, {1, 1}})) {
      Calibration fit =
          training.calibration(
              model, new double[][] {{0, 1}, {0, 1}}, new double[][] {{3, 1}, {1, 4}});
      assertEquals(0.25, fit.intercept(), 1e-6);
      assertEquals(0.8 - 0.25, fit.slope(), 1e-6);
      // (3 * 0.25^2 + 0.75^2 + 0.8^2 + 4 * 0.2^2) / 9
      assertEquals(1.55 / 9, fit.error(), 1e-6);
    }
  }

  @Test
  void isTheBestLine() {
    double[][] weights = Training.random(9, 7, 0.7, 4);
    try (FactorModel model = TestGrids.randomModel(training.allocator, new GridShape(9, 7), 2, 5)) {
      double[][] scores = Training.scores(model);
      double[][] ratings = new double[9][7];
      for (int user = 0; user < 9; user++) {
        for (int item = 0; item < 7; item++) {
          ratings[user][item] = scores[user][item] > 0.3 ? 1 : 0;
        }
      }
      Calibration fit = training.calibration(model, ratings, weights);
      double best = error(fit.slope(), fit.intercept(), scores, ratings, weights);
      assertEquals(best, fit.error(), 1e-6);
      for (double step : new double[] {-1e-2, 1e-2}) {
        assertTrue(error(fit.slope() + step, fit.intercept(), scores, ratings, weights) > best);
        assertTrue(error(fit.slope(), fit.intercept() + step, scores, ratings, weights) > best);
      }
    }
  }

  private static double error(
      double slope, double intercept, double[][] scores, double[][] ratings, double[][] weights) {
    double sum = 0;
    double weight = 0;
    for (int user = 0; user < scores.length; user++) {
      for (int item = 0; item < scores[user].length; item++) {
        double off = ratings[user][item] - slope * scores[user][item] - intercept;
        sum += weights[user][item] * off * off;
        weight += weights[user][item];
      }
    }
    return sum / weight;
  }

  @Test
  void keepsTheOrderOfScoresThatFallAsTargetsRise() {
    try (FactorModel model = model(new double[][] {{2, 4}, {6, 8}})) {
      Calibration fit = training.calibration(model, new double[][] {{1, 1}, {0, 0}}, ONES);
      // The standard deviation of the scores is sqrt 5.
      assertEquals(1e-3 / Math.sqrt(5), fit.slope(), 1e-7);
      assertEquals(0.5 - 5 * fit.slope(), fit.intercept(), 1e-6, "the mean stays");
    }
  }

  @Test
  void keepsTheOrderWhereTargetsDoNotVary() {
    try (FactorModel model = model(new double[][] {{2, 4}, {6, 8}})) {
      Calibration fit = training.calibration(model, ONES, ONES);
      assertTrue(fit.slope() > 0);
      assertEquals(0, fit.error(), 2e-6);
    }
  }

  @Test
  void mapsConstantScoresToTheMeanTarget() {
    try (FactorModel model = model(new double[][] {{3, 3}, {3, 3}})) {
      Calibration fit = training.calibration(model, new double[][] {{1, 0}, {0, 0}}, ONES);
      assertEquals(new Calibration(0, 0.25, 0.1875), fit);
    }
  }

  @Test
  void changesNothingWhereNoCellHasWeight() {
    try (FactorModel model = model(new double[][] {{3, 1}, {2, 3}})) {
      Calibration fit = training.calibration(model, ONES, new double[2][2]);
      assertEquals(new Calibration(1, 0, 0), fit);
    }
  }

  @Test
  void scalesTheSimilaritiesOfAProduct() {
    for (Side inner : Side.values()) {
      SparseProductModel model =
          SparseProducts.random(training.allocator, new GridShape(6, 4), inner, 0.5, 3);
      double[][] before = Training.scores(model);
      float profile = (inner == Side.ITEMS ? model.left() : model.right()).valueAt(0);
      try (SparseProductModel folded = new Calibration(2, -0.5, 0).fold(model)) {
        for (int user = 0; user < 6; user++) {
          for (int item = 0; item < 4; item++) {
            assertEquals(2 * before[user][item] - 0.5, folded.scoreAt(user, item), 1e-5);
          }
        }
        SparseMatrix profiles = inner == Side.ITEMS ? folded.left() : folded.right();
        assertEquals(profile, profiles.valueAt(0), "profiles stay as they are");
      }
    }
  }
}
