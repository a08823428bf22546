package org.pecf.plugin.wmf;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** Local low-rank approximation as a base filter. */
class LlormaContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new LlormaProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("anchors", "2", "rank", "3", "iterations", "4", "lambda", "1");
  }
}
