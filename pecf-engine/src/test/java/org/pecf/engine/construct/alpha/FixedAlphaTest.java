package org.pecf.engine.construct.alpha;

import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.testkit.contract.AlphaStrategyContract;

/** The fixed alpha strategy. */
class FixedAlphaTest extends AlphaStrategyContract {
  @Override
  protected AlphaStrategyProvider<?> provider() {
    return new FixedAlpha();
  }
}
