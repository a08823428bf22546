package org.pecf.plugin.graph;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** Graph filters as a base filter. */
class GraphFilterContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new GraphFilterProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("neighbours", "20", "order", "2");
  }

  @Override
  protected double accuracy() {
    return 1;
  }

  @Override
  protected boolean dependsOnSeed() {
    return false;
  }
}
