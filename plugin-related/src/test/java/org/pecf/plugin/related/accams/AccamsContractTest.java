package org.pecf.plugin.related.accams;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** ACCAMS as a base filter. */
class AccamsContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new AccamsProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("stencils", "2", "clusters", "3", "iterations", "3", "negatives", "1");
  }
}
