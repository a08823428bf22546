package org.pecf.backend.field;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FoldedSumTest {
  @Test
  void sumsAnyNumberOfValues() {
    for (int count = 0; count < 1100; count++) {
      float[] values = new float[count];
      double expected = 0;
      for (int p = 0; p < count; p++) {
        values[p] = (float) Math.sin(p * 1.7) + 0.3f;
        expected += values[p];
      }
      assertEquals(
          expected,
          FoldedSum.of(values, new float[Math.max(count / 4, 1)], count),
          1e-6 * (1 + count),
          count + " values");
    }
  }
}
