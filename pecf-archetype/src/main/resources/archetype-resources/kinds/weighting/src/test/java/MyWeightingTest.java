package ${package};

import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.testkit.contract.WeightingSchemeContract;

/** The contract of its kind; add tests of what is particular to it. */
class MyWeightingTest extends WeightingSchemeContract {
  @Override
  protected WeightingSchemeProvider<?> provider() {
    return new MyWeightingProvider();
  }
}
