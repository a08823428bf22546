package org.pecf.plugin.baselines;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** EASE as a base filter. */
class EaseContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new EaseProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("lambda", "2");
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
