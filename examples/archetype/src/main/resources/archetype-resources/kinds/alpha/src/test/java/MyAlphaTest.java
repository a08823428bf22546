package ${package};

import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.testkit.contract.AlphaStrategyContract;

/** The contract of every alpha strategy; add tests of your own. */
class MyAlphaTest extends AlphaStrategyContract {
  @Override
  protected AlphaStrategyProvider<?> provider() {
    return new MyAlphaProvider();
  }
}
