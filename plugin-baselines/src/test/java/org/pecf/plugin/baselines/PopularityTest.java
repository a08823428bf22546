package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.support.Calibration;
import org.pecf.testkit.fixture.TestGrids;

/** Popularity against its definition. */
class PopularityTest {
  private static final double[][] RATINGS = {{1, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 1}};

  private final Training training = new Training();
  private final BaseFilter filter =
      new PopularityProvider().create(new PopularityProvider.Options(1e-6));

  @AfterEach
  void closeMemory() {
    training.close();
  }

  @Test
  void scoresTheWeightedShareOfPositives() {
    double[][] weights = {{1, 1, 0.1}, {1, 1, 0.1}, {1, 0.1, 0.1}, {0.1, 0.1, 1}};
    double[] expected = {3 / 3.1, 2 / 2.2, 1 / 1.3};
    for (double[] user : training.scores(filter, RATINGS, weights)) {
      assertArrayEquals(expected, user, 1e-5);
    }
  }

  @Test
  void shrinksTowardsZero() {
    double[] expected = {3 / 6.0, 2 / 6.0, 1 / 6.0};
    for (double[] user :
        training.scores(
            new PopularityProvider().create(new PopularityProvider.Options(2)), RATINGS)) {
      assertArrayEquals(expected, user, 1e-6);
    }
  }

  @Test
  void fitsTheMeanOfAnyTargets() {
    double[][] residuals = {{0.5, -1}, {0.25, 2}};
    double[] expected = {0.375, 0.5};
    for (double[] user : training.scores(filter, residuals)) {
      assertArrayEquals(expected, user, 1e-5);
    }
  }

  @Test
  void isOnTheRatingScaleWithoutAFit() {
    double[][] ratings = Training.random(23, 11, 0.3, 5);
    double[][] weights = Training.random(23, 11, 0.8, 6);
    try (SparseCells positives =
            TestGrids.cellsWhere(
                training.allocator,
                Training.shape(ratings),
                (user, item) -> ratings[user][item] > 0);
        ScoreModel model =
            training.train(
                filter,
                positives,
                new Training.Elements(weights),
                new Training.Elements(ratings))) {
      Calibration fit = training.calibration(model, ratings, weights);
      assertEquals(1, fit.slope(), 1e-4);
      assertEquals(0, fit.intercept(), 1e-4);
    }
  }
}
