package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DifferenceTest {
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

  private static Map<Long, JobResult> bySeed(JobResult first, JobResult second) {
    return new TreeMap<>(Map.of(1L, first, 2L, second));
  }

  @Test
  void everySeedIsTestedByItself() {
    StudyResults results =
        new StudyResults(
            Map.of(
                "pecf", bySeed(job(REFERENCE), job(REFERENCE)),
                "low", bySeed(shifted(-0.2), shifted(0)),
                "high", bySeed(shifted(0.3), shifted(0.3))));
    List<StudyPlan.Entry> methods =
        List.of(
            new StudyPlan.Entry("low", "Low", "low"), new StudyPlan.Entry("high", "High", "high"));
    List<Difference> differences = Difference.of(results, methods, "pecf", "pecf");
    assertEquals(List.of(1L, 1L, 2L, 2L), differences.stream().map(Difference::seed).toList());
    Difference low = differences.get(0);
    assertEquals(6, low.users());
    assertEquals(-0.2, low.difference(), 1e-12);
    assertTrue(low.shown());
    assertEquals(0, differences.get(2).difference(), 1e-12);
    assertFalse(differences.get(2).shown());
    Difference high = differences.get(3);
    assertEquals(2 * high.p(), high.pHolm(), 1e-15, "the smaller of two");
    assertTrue(high.p() < 1e-6, "p " + high.p());
  }
}
