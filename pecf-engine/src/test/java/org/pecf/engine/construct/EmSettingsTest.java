package org.pecf.engine.construct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class EmSettingsTest {
  private static EmSettings settings(double deviation) {
    return new EmSettings(2, EmSettings.Start.RANDOM, OptionalDouble.of(deviation), 1, 0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 1e-300, 1e-30, 1e300, Double.NaN, Double.POSITIVE_INFINITY})
  void deviationsThatCannotWorkAreRefused(double deviation) {
    PecfException problem = assertThrows(PecfException.class, () -> settings(deviation));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
    assertEquals(
        "The deviation of EM must be from 1.0E-6 to 1000000.0, not "
            + deviation
            + ", with which likelihoods cannot be computed. Ratings are 0 and 1, so try 0.5.",
        problem.getMessage());
  }

  @Test
  void deviationsAtTheBoundsAreTaken() {
    assertEquals(OptionalDouble.of(1e-6), settings(1e-6).deviation());
    assertEquals(OptionalDouble.of(1e6), settings(1e6).deviation());
  }
}
