package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.filter.BaseFilter;

/** User neighbourhoods by hand. */
class UserNeighboursTest {
  private final Training training = new Training();

  @AfterEach
  void closeMemory() {
    training.close();
  }

  private static BaseFilter filter(
      int neighbours, double idf, double shrinkage, double locality, double beta) {
    return new UserNeighboursProvider()
        .create(new UserNeighboursProvider.Options(neighbours, idf, shrinkage, locality, beta));
  }

  /** Return the similarities of users, undoing the fit. */
  private double[][] similarities(BaseFilter filter, double[][] ratings) {
    double[][] scaled = training.similarities(filter::train, ratings);
    double slope = training.lastSlope();
    for (double[] row : scaled) {
      for (int user = 0; user < row.length; user++) {
        row[user] /= slope;
      }
    }
    return scaled;
  }

  /** Items of 3, 2, 1 and 1 users. */
  private static final double[][] RATINGS = {
    {1, 1, 0, 0}, {1, 1, 1, 0}, {1, 0, 0, 0}, {0, 0, 0, 1}
  };

  @Test
  void theCosineCountsSharedItems() {
    double s01 = 2 / Math.sqrt(6);
    double s02 = 1 / Math.sqrt(2);
    double s12 = 1 / Math.sqrt(3);
    double[][] expected = {{0, s01, s02, 0}, {s01, 0, s12, 0}, {s02, s12, 0, 0}, {0, 0, 0, 0}};
    double[][] actual = similarities(filter(9, 0, 0, 1, 0), RATINGS);
    for (int user = 0; user < 4; user++) {
      assertArrayEquals(expected[user], actual[user], 1e-5, "user " + user);
    }
  }

  @Test
  void rareItemsCountMore() {
    // Weights 1/3, 1/2, 1, 1: users 0 and 1 share 5/6, of 5/6 and 11/6 in all.
    double[][] actual = similarities(filter(9, 1, 0, 1, 0), RATINGS);
    assertEquals(5 / 6.0 / Math.sqrt(5 / 6.0 * 11 / 6.0), actual[0][1], 1e-5);
    assertEquals(1 / 3.0 / Math.sqrt(5 / 6.0 / 3), actual[0][2], 1e-5);
  }

  @Test
  void similaritiesAreShrunkAndRaisedToAPower() {
    double[][] actual = similarities(filter(9, 0, 2, 0.5, 0), RATINGS);
    assertEquals(Math.sqrt(2 / (Math.sqrt(6) + 2)), actual[0][1], 1e-5);
  }

  @Test
  void keepsTheNearestNeighbours() {
    double[][] actual = similarities(filter(1, 0, 0, 1, 0), RATINGS);
    assertArrayEquals(new double[] {0, 2 / Math.sqrt(6), 0, 0}, actual[0], 1e-5);
    assertArrayEquals(new double[] {1 / Math.sqrt(2), 0, 0, 0}, actual[2], 1e-5);
  }

  @Test
  void scoresAreThePositivesOfNeighboursDiscountedByPopularity() {
    BaseFilter filter = filter(9, 0, 0, 1, 0.5);
    double[][] scores = training.scores(filter, RATINGS);
    double slope = training.lastSlope();
    double s01 = 2 / Math.sqrt(6);
    double s02 = 1 / Math.sqrt(2);
    double none = scores[3][0];
    double[] expected = {(s01 + s02) / Math.sqrt(3), s01 / Math.sqrt(2), s01, 0};
    for (int item = 0; item < 4; item++) {
      assertEquals(expected[item] * slope + none, scores[0][item], 1e-5, "item " + item);
    }
  }

  @Test
  void permutingUsersAndItemsPermutesScores() {
    double[][] ratings = Training.random(23, 13, 0.3, 9);
    int[] users = Training.permutation(23, 5);
    int[] items = Training.permutation(13, 4);
    BaseFilter filter = filter(23, 0.35, 0, 0.8, 0.3);
    double[][] expected = Training.permuted(training.scores(filter, ratings), users, items);
    double[][] actual = training.scores(filter, Training.permuted(ratings, users, items));
    for (int user = 0; user < 23; user++) {
      assertArrayEquals(expected[user], actual[user], 1e-5);
    }
  }
}
