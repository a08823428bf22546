package org.pecf.plugin.backend.cpu.field;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.Posterior;

class PosteriorNodeTest {
  /** Evaluate at one error. */
  private static float at(Posterior posterior, float error) {
    CellRun run = new CellRun(null, 0, List.of(), List.of());
    run.moveTo(0, 0, 1);
    float[] values = new float[1];
    new FieldNode.PosteriorOf(posterior, (cells, target) -> target[0] = error)
        .evaluate(run, values);
    return values[0];
  }

  @Test
  void agreesWithTheDefinitionForAllErrorsAndParameters() {
    for (float nu : new float[] {0, 0.1f, 1, 10, 1000, 1e6f, 1e12f}) {
      for (float sigma : new float[] {0.05f, 0.5f, 1, 20}) {
        Posterior posterior = new Posterior(nu, sigma, 1 + nu);
        for (float error = -3; error < 3; error += 0.013f) {
          float expected = posterior.value(new float[] {error});
          assertEquals(
              expected,
              at(posterior, error),
              1e-5 * Math.max(1e-3, expected),
              posterior + " at " + error);
        }
      }
    }
  }

  @Test
  void standsErrorsOfAnySize() {
    Posterior posterior = new Posterior(10, 1, 11);
    assertEquals(11, at(posterior, 1e30f), 1e-4);
    assertEquals(11, at(posterior, Float.NEGATIVE_INFINITY), 1e-4);
    assertTrue(Float.isNaN(at(posterior, Float.NaN)));
  }
}
