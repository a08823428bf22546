package org.pecf.plugin.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The exponential function beside that of the standard library. */
class ExponentialTest {
  @Test
  void isExactAtZero() {
    assertEquals(1, Exponential.of(0));
  }

  @Test
  void followsTheStandardLibraryOverItsRange() {
    for (int k = 0; k <= 80_000; k++) {
      float x = -k / 1000f;
      double expected = Math.exp(x);
      assertEquals(expected, Exponential.of(x), 8e-6 * expected, "e^" + x);
    }
  }
}
