package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void confidenceIntervalUsesTheTDistribution() {
    // t(0.975; 2) = 4.302653 and t(0.975; 4) = 2.776445, from printed tables.
    assertEquals(4.302653 * 1 / Math.sqrt(3), Statistics.halfWidth(1, 2, 3), 1e-5);
    assertEquals(
        2.776445 * Math.sqrt(2.5) / Math.sqrt(5), Statistics.halfWidth(1, 2, 3, 4, 5), 1e-5);
    assertTrue(Double.isNaN(Statistics.halfWidth(3)));
  }

  @Test
  void pairedTestAgreesWithTheClassicSleepData() {
    // Student's sleep data (1908): t = 4.0621 with 9 degrees of freedom, p = 0.002833.
    double[] first = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
    double[] second = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
    assertEquals(0.002833, Statistics.pairedTest(first, second), 1e-6);
    assertEquals(Statistics.pairedTest(first, second), Statistics.pairedTest(second, first), 1e-15);
  }

  @Test
  void pairedTestOfDegenerateValuesIsDefined() {
    double[] values = {0.1, 0.5, 0.3};
    assertEquals(1, Statistics.pairedTest(values, values));
    assertEquals(0, Statistics.pairedTest(new double[] {1, 2, 3}, new double[] {0, 1, 2}));
    assertThrows(
        IllegalArgumentException.class, () -> Statistics.pairedTest(values, new double[2]));
  }

  @Test
  void holmCorrectsFromTheSmallestUp() {
    assertArrayEquals(
        new double[] {0.03, 0.06, 0.06, 0.02}, Statistics.holm(0.01, 0.04, 0.03, 0.005), 1e-12);
    assertArrayEquals(new double[] {1, 1}, Statistics.holm(0.6, 0.9), 1e-12);
    assertArrayEquals(new double[0], Statistics.holm());
  }
}
