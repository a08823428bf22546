package ${package};

import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.testkit.contract.WeightingSchemeContract;

/** The contract of every weighting scheme; add tests of your own. */
class MyWeightingTest extends WeightingSchemeContract {
  @Override
  protected WeightingSchemeProvider<?> provider() {
    return new MyWeightingProvider();
  }
}
