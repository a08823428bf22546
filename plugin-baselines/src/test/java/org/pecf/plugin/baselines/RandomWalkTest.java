package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.filter.BaseFilter;

/** Random walks by hand, and by walking. */
class RandomWalkTest {
  private final Training training = new Training();

  @AfterEach
  void closeMemory() {
    training.close();
  }

  private static BaseFilter filter(double alpha, double beta, int neighbours) {
    return new RandomWalkProvider().create(new RandomWalkProvider.Options(alpha, beta, neighbours));
  }

  /** Return w, undoing the fit: element (k, j) is how much item k speaks for item j. */
  private double[][] walks(BaseFilter filter, double[][] ratings) {
    double[][] scaled = training.similarities(filter::train, ratings);
    double slope = training.lastSlope();
    for (double[] row : scaled) {
      for (int item = 0; item < row.length; item++) {
        row[item] /= slope;
      }
    }
    return scaled;
  }

  /** Users of two, three and one items; items of 2, 2, 1 and 1 users. */
  private static final double[][] RATINGS = {{1, 1, 0, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}};

  @Test
  void multipliesTheChancesOfSteps() {
    // From item 0 by the first user, 1/2 1/2, and by the second, 1/2 1/3.
    double w01 = 1 / 4.0 + 1 / 6.0;
    double w02 = 1 / 6.0;
    double w20 = 1 / 3.0;
    double[][] expected = {{0, w01, w02, 0}, {w01, 0, w02, 0}, {w20, w20, 0, 0}, {0, 0, 0, 0}};
    double[][] actual = walks(filter(1, 0, 10), RATINGS);
    for (int item = 0; item < 4; item++) {
      assertArrayEquals(expected[item], actual[item], 1e-5, "from item " + item);
    }
  }

  @Test
  void discountsPopularItems() {
    double[][] plain = walks(filter(1, 0, 10), RATINGS);
    double[][] discounted = walks(filter(1, 0.5, 10), RATINGS);
    double[] users = {2, 2, 1, 1};
    for (int k = 0; k < 4; k++) {
      for (int j = 0; j < 4; j++) {
        assertEquals(plain[k][j] / Math.sqrt(users[j]), discounted[k][j], 1e-5, k + ", " + j);
      }
    }
  }

  @Test
  void raisesChancesToAPower() {
    // One path from item 2: by the second user, (1/1)^2 (1/3)^2.
    double[][] actual = walks(filter(2, 0, 10), RATINGS);
    assertEquals(1 / 9.0, actual[2][0], 1e-5);
    assertEquals(1 / 16.0 + 1 / 36.0, actual[0][1], 1e-5);
  }

  @Test
  void keepsTheItemsFromWhichAnItemIsReachedBest() {
    double[][] actual = walks(filter(1, 0, 1), RATINGS);
    // Item 0 is reached by 5/12 from item 1 and by 1/3 from item 2; item 2 by 1/6 from both.
    assertArrayEquals(new double[] {0, 5 / 12.0, 1 / 6.0, 0}, actual[0], 1e-5);
    assertArrayEquals(new double[] {5 / 12.0, 0, 0, 0}, actual[1], 1e-5);
    assertArrayEquals(new double[4], actual[2], 1e-5);
  }

  @Test
  void permutingUsersAndItemsPermutesScores() {
    double[][] ratings = Training.random(23, 13, 0.3, 9);
    int[] users = Training.permutation(23, 5);
    int[] items = Training.permutation(13, 4);
    BaseFilter filter = filter(0.6, 0.25, 13);
    double[][] expected = Training.permuted(training.scores(filter, ratings), users, items);
    double[][] actual = training.scores(filter, Training.permuted(ratings, users, items));
    for (int user = 0; user < 23; user++) {
      assertArrayEquals(expected[user], actual[user], 1e-5);
    }
  }
}
