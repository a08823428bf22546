package org.pecf.engine.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The likelihood of positives against its definition and against finite differences. */
class ListLikelihoodTest {
  private static final int MODELS = 3;
  private static final double[] WEIGHTS = {0.5, -0.25, 2};

  private static final float[][][] SCORES = scores(new Random(7), 4, 6);
  private static final int[][] PLACES = {{0, 3}, {5}, {}, {1, 2, 4}};

  private static float[][][] scores(Random random, int users, int items) {
    float[][][] scores = new float[users][MODELS][items];
    for (float[][] user : scores) {
      for (float[] model : user) {
        for (int item = 0; item < items; item++) {
          model[item] = (float) (3 + random.nextGaussian());
        }
      }
    }
    return scores;
  }

  private static ListLikelihood at(double... weights) {
    ListLikelihood all = new ListLikelihood(MODELS);
    for (int user = 0; user < SCORES.length; user++) {
      ListLikelihood own = new ListLikelihood(MODELS);
      own.add(SCORES[user], PLACES[user], weights);
      all.add(own);
    }
    return all;
  }

  @Test
  void theValueIsTheSumOfLogarithmsOfChances() {
    double expected = 0;
    for (int user = 0; user < SCORES.length; user++) {
      double[] powers = new double[6];
      double sum = 0;
      for (int item = 0; item < 6; item++) {
        double score = 0;
        for (int k = 0; k < MODELS; k++) {
          score += WEIGHTS[k] * SCORES[user][k][item];
        }
        powers[item] = Math.exp(score);
        sum += powers[item];
      }
      for (int place : PLACES[user]) {
        expected += Math.log(powers[place] / sum);
      }
    }
    assertEquals(expected, at(WEIGHTS).value(), 1e-10);
    assertEquals(6, at(WEIGHTS).positives());
    assertEquals(-6 * Math.log(6), at(0, 0, 0).value(), 1e-12, "all items are equally likely");
  }

  @Test
  void theDerivativesAreThoseOfTheValue() {
    double step = 1e-5;
    ListLikelihood here = at(WEIGHTS);
    for (int k = 0; k < MODELS; k++) {
      double[] above = WEIGHTS.clone();
      double[] below = WEIGHTS.clone();
      above[k] += step;
      below[k] -= step;
      assertEquals((at(above).value() - at(below).value()) / (2 * step), here.gradient()[k], 1e-6);
      for (int j = k; j < MODELS; j++) {
        assertEquals(
            (at(below).gradient()[j] - at(above).gradient()[j]) / (2 * step),
            here.curvature()[j * MODELS + k],
            1e-6);
      }
    }
  }
}
