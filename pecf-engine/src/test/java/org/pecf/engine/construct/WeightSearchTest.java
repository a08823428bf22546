package org.pecf.engine.construct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WeightSearchTest {
  /** Return minus the squared distance of the normalised weights from a target. */
  private static double closeness(double[] weights, double... target) {
    double sum = Arrays.stream(weights).sum();
    double squares = 0;
    for (int k = 0; k < target.length; k++) {
      squares += Math.pow(weights[k] / sum - target[k], 2);
    }
    return -squares;
  }

  @Test
  void theBestMixtureIsFound() {
    WeightSearch.Found found =
        new WeightSearch(weights -> closeness(weights, 0.6, 0.3, 0.1), 3).search();
    assertArrayEquals(new double[] {0.6, 0.3, 0.1}, found.weights(), 0.02);
    assertEquals(1, Arrays.stream(found.weights()).sum(), 1e-12);
    assertEquals(closeness(found.weights(), 0.6, 0.3, 0.1), found.value(), 1e-12);
  }

  @Test
  void modelsThatDoNotHelpAreLeftOut() {
    double[] weights = new WeightSearch(w -> closeness(w, 0.5, 0, 0.5, 0), 4).search().weights();
    assertArrayEquals(new double[] {0.5, 0, 0.5, 0}, weights, 1e-9);
  }

  /** A model that was selected early is dropped once others make it superfluous. */
  @Test
  void aModelThatNoLongerHelpsIsDropped() {
    // The first alone is the best start; beside the two others it is in the way.
    double[] weights =
        new WeightSearch(
                w -> {
                  double sum = Arrays.stream(w).sum();
                  double far = Math.pow(w[1] / sum - 0.5, 2) + Math.pow(w[2] / sum - 0.5, 2);
                  return w[0] == sum ? -0.49 : -far - 0.5 * Math.pow(w[0] / sum, 2);
                },
                3)
            .search()
            .weights();
    assertEquals(0, weights[0]);
    assertTrue(weights[1] > 0 && weights[2] > 0);
  }

  @Test
  void aSingleModelHasAllTheWeight() {
    assertArrayEquals(new double[] {1}, new WeightSearch(w -> 0.3, 1).search().weights());
  }

  @Test
  void equalModelsAreTakenInTheirOrder() {
    assertArrayEquals(new double[] {1, 0, 0}, new WeightSearch(w -> 0.3, 3).search().weights());
  }
}
