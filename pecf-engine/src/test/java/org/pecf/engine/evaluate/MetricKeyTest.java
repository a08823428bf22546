package org.pecf.engine.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class MetricKeyTest {
  @Test
  void everyKeyOfARequestIsReadBack() {
    EvaluationRequest request = new EvaluationRequest(List.of(200, 50), CandidatePolicy.ALL);
    List<MetricKey> keys = MetricKey.of(request);
    assertEquals(8 * 2 + 1, keys.size());
    for (MetricKey key : keys) {
      assertEquals(key, MetricKey.parse(key.toString()));
    }
    assertEquals("recall@200", keys.get(0).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"recall", "recall@", "recall@0", "recall@-1", "wmse@5", "recal@50", ""})
  void whatIsNoKeyIsRefusedWithTheKnownOnes(String text) {
    PecfException e = assertThrows(PecfException.class, () -> MetricKey.parse(text));
    assertEquals(ErrorCode.BAD_OPTION, e.code());
    assertTrue(e.getMessage().contains("truncated-recall@M"), e.getMessage());
  }

  @Test
  void aSlipIsAnsweredWithTheNearestMetric() {
    PecfException e = assertThrows(PecfException.class, () -> MetricKey.parse("recal@50"));
    assertTrue(e.getMessage().endsWith("Did you mean 'recall@50'?"), e.getMessage());
  }

  @ParameterizedTest
  @EnumSource
  void everyMetricHasADefinitionAndADirection(Metric metric) {
    assertTrue(metric.definition().length() > 20);
    boolean error = metric == Metric.WMSE;
    assertEquals(error, metric.better(0.1, 0.2));
    assertEquals(!error, metric.better(0.2, 0.1));
    assertFalse(metric.better(0.1, 0.1));
  }
}
