package org.pecf.plugin.wmf;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** An ensemble of local non-negative factorisations as a base filter. */
class EnsNmfContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new EnsNmfProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("stages", "4", "rank", "2", "iterations", "10");
  }
}
