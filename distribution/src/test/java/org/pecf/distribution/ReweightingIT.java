package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.pecf.api.data.Part;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

/** Re-weighting where it must help, on groups that a filter leaves out, and where it cannot. */
class ReweightingIT {
  private static double recall(String data, String construction, String seed) {
    try (TrainingResult result =
        Training.on(data)
            .construction(construction)
            .filter("wmf", Map.of("rank", "6", "lambda", "2"))
            .option("confidence", "1:0.1")
            .option("cutoffs", "50")
            .option("seed", seed)
            .rounds(4)
            .run()) {
      return result.reports().get(Part.TEST).value(new MetricKey(MetricKey.RECALL, 50));
    }
  }

  @Test
  void findsTheGroupsThatOneFilterLeavesOut() {
    double bagging = recall("builtin:groups", "bagging", "1");
    double pecf = recall("builtin:groups", "progressive", "1");
    assertTrue(pecf > bagging + 0.01, "PECF " + pecf + ", bagging " + bagging);
  }

  @Test
  void hasNothingToFindAmongUsersOfOneKind() {
    double bagging = recall("builtin:one-group", "bagging", "1");
    double pecf = recall("builtin:one-group", "progressive", "1");
    assertTrue(pecf < bagging + 0.005, "PECF " + pecf + ", bagging " + bagging);
  }
}
