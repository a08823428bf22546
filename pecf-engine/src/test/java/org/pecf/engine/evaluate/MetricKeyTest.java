package org.pecf.engine.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class MetricKeyTest {
  @Test
  void everyKeyOfARequestIsReadBack() {
    Metrics metrics = Metrics.of(new EvaluationRequest(List.of(200, 50), CandidatePolicy.ALL));
    List<MetricKey> keys = metrics.keys();
    assertEquals(8 * 2 + 1, keys.size());
    for (MetricKey key : keys) {
      assertEquals(key, MetricKey.parse(key.toString()));
      assertTrue(metrics.definition(key.metric()).length() > 20);
    }
    assertEquals("recall@200", keys.get(0).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"recall", "recall@", "recall@0", "recall@-1", "wmse@5", "Recall@5", ""})
  void whatIsNoKeyIsRefused(String text) {
    PecfException e = assertThrows(PecfException.class, () -> MetricKey.parse(text));
    assertEquals(ErrorCode.BAD_OPTION, e.code());
    assertTrue(e.getMessage().contains("Write one as in 'recall@50', or wmse"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"recall@5", "coverage@5", "wmse", "third-partys@5"})
  void onlyErrorsImproveDownwards(String text) {
    MetricKey key = MetricKey.parse(text);
    boolean error = text.equals("wmse");
    assertEquals(error, key.better(0.1, 0.2));
    assertEquals(!error, key.better(0.2, 0.1));
    assertFalse(key.better(0.1, 0.1));
  }
}
