package org.pecf.plugin.baselines;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** User neighbourhoods as a base filter. */
class UserNeighboursContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new UserNeighboursProvider();
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
