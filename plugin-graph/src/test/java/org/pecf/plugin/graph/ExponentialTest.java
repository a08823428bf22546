package org.pecf.plugin.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ExponentialTest {
  @Test
  void followsTheStandardLibraryAtAllCosines() {
    for (double temperature : new double[] {0.05, 0.15, 0.2, 1, 10}) {
      float scale = (float) (1 / temperature);
      float[] values = new float[20_002];
      for (int k = 0; k < values.length; k++) {
        values[k] = k / 10_000f - 1;
      }
      float[] cosines = values.clone();
      Exponential exponential = Exponential.ofCosines(scale);
      exponential.replace(values);
      for (int k = 0; k < 20_001; k++) {
        double expected = Math.exp(scale * (cosines[k] - 1.0));
        double allowed = 4e-7 * (1 << exponential.squarings());
        assertEquals(expected, values[k], allowed * expected, temperature + ", " + cosines[k]);
      }
      assertEquals(values[20_000], values[20_001], "a cosine above 1 counts as 1");
    }
  }
}
