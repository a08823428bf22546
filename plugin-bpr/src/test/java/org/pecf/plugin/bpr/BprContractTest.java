package org.pecf.plugin.bpr;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** Bayesian personalised ranking as a base filter. */
class BprContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new BprProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("rank", "4", "iterations", "30", "learning-rate", "0.1");
  }
}
