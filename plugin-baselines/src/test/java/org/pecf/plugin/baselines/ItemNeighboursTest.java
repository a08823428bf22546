package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.run.TrainingStep;

/** Item neighbourhoods by hand. */
class ItemNeighboursTest {
  private final Training training = new Training();

  @AfterEach
  void closeMemory() {
    training.close();
  }

  private static BaseFilter filter(int neighbours, double shrinkage) {
    return new ItemNeighboursProvider()
        .create(new ItemNeighboursProvider.Options(neighbours, shrinkage));
  }

  @Test
  void mapsSimilaritiesToRatings() {
    // Only items 0 and 1 are alike. The five cells with the other one of the two among the user's
    // positives are positive four times, the seven others twice: what the line goes through.
    double[][] ratings = {{1, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 1}};
    double high = 4 / 5.0;
    double low = 2 / 7.0;
    double[][] expected = {{high, high, low}, {high, high, low}, {low, high, low}, {low, low, low}};
    double[][] scores = training.scores(filter(10, 0), ratings);
    for (int user = 0; user < 4; user++) {
      assertArrayEquals(expected[user], scores[user], 1e-5, "user " + user);
    }
    TrainingStep step = training.listener.events(TrainingStep.class).get(0);
    assertEquals(low, step.measures().get("intercept"), 1e-6);
    assertEquals((high - low) * Math.sqrt(6) / 2, step.measures().get("slope"), 1e-6);
  }

  /** Return the similarities, undoing the fit: element (j, k) is that of neighbour k of item j. */
  private double[][] similarities(BaseFilter filter, double[][] ratings) {
    double[][] scaled = training.similarities(filter::train, ratings);
    double slope = training.lastSlope();
    double[][] similarities = new double[scaled.length][scaled.length];
    for (int item = 0; item < scaled.length; item++) {
      for (int other = 0; other < scaled.length; other++) {
        similarities[item][other] = scaled[other][item] / slope;
      }
    }
    return similarities;
  }

  /** Users 6; item counts 4, 3, 2, 1; together 0-1: 3, 0-2: 1, 0-3: 0, 1-2: 1, 2-3: 0. */
  private static final double[][] FOUR_ITEMS = {
    {1, 1, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}
  };

  @Test
  void shrinksTheCosine() {
    double s01 = 3 / (Math.sqrt(12) + 2);
    double s02 = 1 / (Math.sqrt(8) + 2);
    double s12 = 1 / (Math.sqrt(6) + 2);
    double[][] expected = {{0, s01, s02, 0}, {s01, 0, s12, 0}, {s02, s12, 0, 0}, {0, 0, 0, 0}};
    double[][] actual = similarities(filter(4, 2), FOUR_ITEMS);
    for (int item = 0; item < 4; item++) {
      assertArrayEquals(expected[item], actual[item], 1e-5, "item " + item);
    }
  }

  @Test
  void keepsTheNearestNeighboursOfEachItem() {
    double s01 = 3 / Math.sqrt(12);
    double s12 = 1 / Math.sqrt(6);
    double[][] expected = {{0, s01, 0, 0}, {s01, 0, 0, 0}, {0, s12, 0, 0}, {0, 0, 0, 0}};
    double[][] actual = similarities(filter(1, 0), FOUR_ITEMS);
    for (int item = 0; item < 4; item++) {
      assertArrayEquals(expected[item], actual[item], 1e-5, "item " + item);
    }
  }

  @Test
  void keepsTheFirstOfEqualNeighbours() {
    double[][] ratings = {{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 0}};
    double[][] actual = similarities(filter(2, 0), ratings);
    assertArrayEquals(new double[] {1, 1, 0, 0, 0}, actual[4], 1e-5);
    assertArrayEquals(new double[] {0, 1, 1, 0, 0}, actual[0], 1e-5);
  }

  @Test
  void neighboursAreThoseOfAFullSort() {
    double[][] ratings = Training.random(40, 30, 0.3, 8);
    double[][] all = similarities(filter(30, 1), ratings);
    double[][] kept = similarities(filter(7, 1), ratings);
    for (int item = 0; item < 30; item++) {
      double[] row = all[item];
      int[] best =
          IntStream.range(0, 30)
              .boxed()
              .sorted(
                  Comparator.<Integer>comparingDouble(k -> -Math.round(row[k] * 1e5))
                      .thenComparing(Comparator.naturalOrder()))
              .limit(7)
              .mapToInt(Integer::intValue)
              .toArray();
      double[] expected = new double[30];
      for (int k : best) {
        expected[k] = row[k];
      }
      assertArrayEquals(expected, kept[item], 1e-4, "item " + item);
    }
  }

  @Test
  void permutingUsersAndItemsPermutesScores() {
    double[][] ratings = Training.random(23, 13, 0.3, 9);
    int[] users = Training.permutation(23, 5);
    int[] items = Training.permutation(13, 4);
    double[][] expected = Training.permuted(training.scores(filter(13, 3), ratings), users, items);
    double[][] actual = training.scores(filter(13, 3), Training.permuted(ratings, users, items));
    for (int user = 0; user < 23; user++) {
      assertArrayEquals(expected[user], actual[user], 1e-5);
    }
  }
}
