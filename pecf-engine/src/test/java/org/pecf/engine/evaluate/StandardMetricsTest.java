package org.pecf.engine.evaluate;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.evaluate.MetricProvider;
import org.pecf.testkit.contract.MetricContract;

/** The metrics of the program keep the contract of metrics. */
class StandardMetricsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "recall",
        "truncated-recall",
        "precision",
        "ndcg",
        "map",
        "mrr",
        "hit-rate",
      })
  void theContractIsKept(String id) {
    MetricContract contract =
        new MetricContract() {
          @Override
          protected MetricProvider provider() {
            return Objects.requireNonNull(StandardMetrics.all().get(id));
          }
        };
    contract.isAlwaysANumber();
    contract.dependsOnTheHitsAlone();
    contract.isHighestWhereTheHitsComeFirst();
    contract.describesItselfAlikeEveryTime();
  }
}
