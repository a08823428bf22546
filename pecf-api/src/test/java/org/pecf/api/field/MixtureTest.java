package org.pecf.api.field;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Mixtures against hand-computed values and sampled bounds. */
class MixtureTest {
  private static final Mixture MIXTURE = new Mixture(List.of(0.25, 0.75), 0.5);

  /** exp(-0.5 (1 / 0.5)^2) = e^-2: 0.25 against 0.75 e^-2. */
  @Test
  void responsibilitiesByHand() {
    double expected = 0.25 / (0.25 + 0.75 * Math.exp(-2));
    assertEquals(expected, new Responsibility(0, MIXTURE).value(new float[] {0, 1}), 1e-6);
    assertEquals(1 - expected, new Responsibility(1, MIXTURE).value(new float[] {0, 1}), 1e-6);
  }

  @Test
  void responsibilitiesOfHugeErrorsStillSumToOne() {
    float[] errors = {300, -301};
    float sum =
        new Responsibility(0, MIXTURE).value(errors) + new Responsibility(1, MIXTURE).value(errors);
    assertEquals(1, sum, 1e-6);
  }

  @Test
  void aComponentWithoutShareIsResponsibleForNothing() {
    Mixture mixture = new Mixture(List.of(0.0, 1.0), 0.5);
    assertEquals(0, new Responsibility(0, mixture).value(new float[] {0, 1}));
    assertEquals(1, new Responsibility(1, mixture).value(new float[] {0, 1}));
  }

  @Test
  void logDensityByHand() {
    double normal = 1 / (0.5 * Math.sqrt(2 * Math.PI));
    double expected = Math.log(normal * (0.25 + 0.75 * Math.exp(-2)));
    assertEquals(expected, new MixtureLogDensity(MIXTURE).value(new float[] {0, 1}), 1e-6);
  }

  @Test
  void rangesHoldWhateverTheErrors() {
    SplittableRandom random = new SplittableRandom(1);
    Responsibility responsibility = new Responsibility(1, MIXTURE);
    List<ValueRange> ranges = List.of(new ValueRange(-0.3, 0.4), new ValueRange(0.1, 0.9));
    ValueRange bound = responsibility.range(ranges);
    for (int k = 0; k < 1000; k++) {
      float[] errors = {
        (float) (-0.3 + 0.7 * random.nextDouble()), (float) (0.1 + 0.8 * random.nextDouble())
      };
      float value = responsibility.value(errors);
      assertTrue(value >= bound.low() - 1e-6 && value <= bound.high() + 1e-6, value + " " + bound);
    }
  }
}
