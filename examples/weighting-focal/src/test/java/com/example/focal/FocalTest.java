package com.example.focal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.field.ValueRange;
import org.pecf.testkit.contract.WeightingSchemeContract;

/** The contract of every weighting scheme, and the formula of this one. */
class FocalTest extends WeightingSchemeContract {
  @Override
  protected WeightingSchemeProvider<?> provider() {
    return new FocalProvider();
  }

  @Test
  void weightsFollowTheFormula() {
    Focal focal = new Focal(2, 0.1f);

    assertEquals(0.25f, focal.value(new float[] {-0.5f}), 1e-6f);
    assertEquals(0.01f, focal.value(new float[] {0.05f}), 1e-6f);
    assertEquals(1, focal.value(new float[] {3}));
    ValueRange range = focal.range(List.of(new ValueRange(-0.5, 0.2)));
    assertEquals(0.01, range.low(), 1e-6);
    assertEquals(0.25, range.high(), 1e-6);
  }
}
