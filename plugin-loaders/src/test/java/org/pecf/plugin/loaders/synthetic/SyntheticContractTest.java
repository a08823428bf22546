package org.pecf.plugin.loaders.synthetic;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.plugin.loaders.testing.Loading;
import org.pecf.testkit.contract.RatingLoaderContract;

/** Synthetic data under the contract of loaders. */
class SyntheticContractTest extends RatingLoaderContract {
  @Override
  protected RatingLoaderProvider<?> provider() {
    return new SyntheticLoaderProvider();
  }

  @Override
  protected Map<String, String> optionTexts() {
    return Map.of("positives", "90000");
  }

  @Override
  protected List<Map<String, String>> badOptionTexts() {
    return List.of(Map.of("density", "0.5"));
  }

  @Override
  protected Sample sample(Path target) {
    return new Sample(
        new DataSource("builtin:demo"),
        Loading.load(
                Loading.loader(new SyntheticLoaderProvider(), optionTexts()), "builtin:demo", 1)
            .ratings());
  }

  @Override
  protected List<BadSample> badSamples(Path target) {
    return List.of(
        new BadSample(new DataSource("builtin:demi"), List.of("builtin:demi", "builtin:demo")));
  }
}
