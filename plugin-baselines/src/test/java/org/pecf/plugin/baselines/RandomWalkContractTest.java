package org.pecf.plugin.baselines;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** Random walks as a base filter. */
class RandomWalkContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new RandomWalkProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("neighbours", "5");
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
