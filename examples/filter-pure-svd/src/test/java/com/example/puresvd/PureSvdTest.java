package com.example.puresvd;

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** The contract of every base filter. */
class PureSvdTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new PureSvdProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("rank", "4", "iterations", "8");
  }

  /** Users who come again get the factors of training, but for rounding. */
  @Override
  protected double newRowError() {
    return 1e-5;
  }
}
