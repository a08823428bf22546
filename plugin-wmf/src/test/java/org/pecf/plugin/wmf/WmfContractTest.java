package org.pecf.plugin.wmf;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** Weighted matrix factorisation as a base filter. */
class WmfContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new WmfProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("rank", "4", "iterations", "5");
  }
}
