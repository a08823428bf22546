package org.pecf.engine.construct.alpha;

import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.testkit.contract.AlphaStrategyContract;

/** The uniform alpha strategy. */
class UniformAlphaTest extends AlphaStrategyContract {
  @Override
  protected AlphaStrategyProvider<?> provider() {
    return new UniformAlpha();
  }
}
