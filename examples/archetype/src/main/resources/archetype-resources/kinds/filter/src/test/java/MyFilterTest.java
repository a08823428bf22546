package ${package};

import java.util.Map;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.testkit.contract.BaseFilterContract;

/** The contract of every filter; add tests of your own. */
class MyFilterTest extends BaseFilterContract {
  @Override
  protected BaseFilterProvider<?> provider() {
    return new MyFilterProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("rank", "4", "iterations", "5");
  }
}
