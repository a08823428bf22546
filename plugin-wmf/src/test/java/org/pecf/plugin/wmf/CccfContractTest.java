package org.pecf.plugin.wmf;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** Co-clustering with a factorisation for each cluster, as a base filter. */
class CccfContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new CccfProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("clusters", "2", "rank", "4", "iterations", "4", "lambda", "1", "sweeps", "10");
  }
}
