package org.pecf.engine.construct.weighting;

import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.testkit.contract.WeightingSchemeContract;

/** The uniform weighting. */
class UniformWeightingTest extends WeightingSchemeContract {
  @Override
  protected WeightingSchemeProvider<?> provider() {
    return new UniformWeighting();
  }
}
