package org.pecf.plugin.related.accams;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** bACCAMS as a base filter. */
class BaccamsContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new BaccamsProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of(
        "stencils", "2", "clusters", "6", "burn-in", "10", "samples", "3", "negatives", "1");
  }
}
