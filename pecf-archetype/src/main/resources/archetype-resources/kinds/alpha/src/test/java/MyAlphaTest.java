package ${package};

import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.testkit.contract.AlphaStrategyContract;

/** The contract of its kind; add tests of what is particular to it. */
class MyAlphaTest extends AlphaStrategyContract {
  @Override
  protected AlphaStrategyProvider<?> provider() {
    return new MyAlphaProvider();
  }
}
