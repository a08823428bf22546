package org.pecf.plugin.backend.cpu.pairwise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SigmoidTest {
  @Test
  void isHalfAtZero() {
    assertEquals(0.5f, Sigmoid.tail(0));
  }

  @Test
  void staysWithinItsRelativeError() {
    for (float x = 0; x < Sigmoid.LIMIT; x += 0.000_37f) {
      double exact = 1 / (1 + Math.exp(x));
      assertEquals(1, Sigmoid.tail(x) / exact, 2.5e-6, "at " + x);
    }
  }

  @Test
  void fallsUpToItsLimit() {
    float last = Math.nextDown(Sigmoid.LIMIT);
    assertTrue(Sigmoid.tail(last) > 0);
    assertTrue(Sigmoid.tail(last) < Sigmoid.tail(Sigmoid.LIMIT - 0.01f));
  }
}
