package org.pecf.plugin.baselines;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** A ramp over popularity as a base filter. */
class PopularityRampContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new PopularityRampProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("from", "0", "to", "2");
  }

  /** On the checkerboard, where every item is liked by as many, it can only guess. */
  @Override
  protected double accuracy() {
    return 0.5;
  }

  @Override
  protected boolean dependsOnSeed() {
    return false;
  }
}
