package org.pecf.plugin.graph;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** Softmax factors as a base filter. */
class SoftmaxContractTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new SoftmaxProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("rank", "6", "iterations", "12", "batch", "7", "learning-rate", "0.05");
  }
}
