package org.pecf.engine.effort;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.GridShape;

class SettingsRuleTest {
  @Test
  void settingsFollowFromTheShape() {
    SettingsRule rule = new SettingsRule(new GridShape(1000, 2000), 40_000, Map.of());

    assertEquals(0.02, rule.density(), 1e-12);
    // Zeros weigh 2 x .02. A user has 40 positives and 2000 zeros of .04, 120 in all; an item 20
    // and 1000, 60 in all; their geometric mean is 84.85, a tenth of it 8.5.
    assertEquals(new FilterSettings(40, "8.5", "1:0.04", "1"), rule.settings(2, 0.1, 1, 1));
    assertEquals(80, rule.settings(2, 0.1, 1, 2).rank());
  }

  @Test
  void settingsThatWereGivenStay() {
    SettingsRule rule =
        new SettingsRule(
            new GridShape(1000, 2000),
            40_000,
            Map.of("rank", "7", "confidence", "1:0.04", "frequency-exponent", "0.5"));

    assertEquals(new FilterSettings(7, "8.5", "1:0.04", "0.5"), rule.settings(10, 0.1, 1, 2));
  }

  @Test
  void ranksAndZeroWeightsStayWithinReason() {
    SettingsRule tiny = new SettingsRule(new GridShape(5, 9), 20, Map.of());
    assertEquals(5, tiny.settings(1, 0.1, 1, 1).rank());
    assertEquals("1:0.5", tiny.settings(16, 0.1, 1, 1).confidence());
    SettingsRule large = new SettingsRule(new GridShape(1_000_000, 100_000), 9_000_000, Map.of());
    assertEquals(200, large.settings(1, 0.1, 1, 1).rank());
  }
}
