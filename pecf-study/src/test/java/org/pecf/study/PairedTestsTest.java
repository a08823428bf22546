package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PairedTestsTest {
  private static final double[] REFERENCE = {0.1, 0.5, 0.3, 0.9, 0.4, 0.2};

  private static JobResult job(double... perUser) {
    return new JobResult(
        "job",
        "request",
        "data",
        List.of(Map.of()),
        Map.of(),
        Optional.of("recall@50"),
        perUser,
        1,
        Optional.of(2.0));
  }

  /** Return the reference, shifted by about a difference. */
  private static JobResult shifted(double difference) {
    double[] values = REFERENCE.clone();
    for (int k = 0; k < values.length; k++) {
      values[k] += difference + (k % 2 == 0 ? 0.01 : -0.01);
    }
    return job(values);
  }

  @Test
  void everySeedIsTestedByItself() {
    StudyResults results =
        new StudyResults(
            Map.of(
                "pecf", Map.of(1L, job(REFERENCE), 2L, job(REFERENCE)),
                "low", Map.of(1L, shifted(-0.2), 2L, shifted(0)),
                "high", Map.of(1L, shifted(0.3), 2L, shifted(0.3))));
    List<String> cells = List.of("low", "high");
    PairedTests first = PairedTests.of(results, 1, cells, "pecf");
    PairedTests second = PairedTests.of(results, 2, cells, "pecf");
    assertEquals(6, first.users());
    assertEquals(-0.2, first.of("low").mean(), 1e-12);
    assertTrue(first.of("low").corrected() < PairedTests.LEVEL);
    assertEquals(0, second.of("low").mean(), 1e-12);
    assertTrue(second.of("low").corrected() >= PairedTests.LEVEL);
    PairedTests.Difference high = second.of("high");
    assertEquals(2 * high.p(), high.corrected(), 1e-15, "the smaller of two");
    assertTrue(high.p() < 1e-6, "p " + high.p());
  }
}
