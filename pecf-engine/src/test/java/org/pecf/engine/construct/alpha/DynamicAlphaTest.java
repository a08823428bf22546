package org.pecf.engine.construct.alpha;

import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.testkit.contract.AlphaStrategyContract;

/** The dynamic alpha strategy. */
class DynamicAlphaTest extends AlphaStrategyContract {
  @Override
  protected AlphaStrategyProvider<?> provider() {
    return new DynamicAlpha();
  }
}
