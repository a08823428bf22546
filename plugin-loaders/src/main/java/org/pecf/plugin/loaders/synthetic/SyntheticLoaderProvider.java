package org.pecf.plugin.loaders.synthetic;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of embedded synthetic data. */
public final class SyntheticLoaderProvider implements RatingLoaderProvider<SyntheticOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "synthetic",
        "embedded data with planted taste groups, or noise: "
            + String.join(", ", Dimensions.locations()),
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<SyntheticOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), SyntheticOptions.class);
  }

  @Override
  public boolean embedsData() {
    return true;
  }

  @Override
  public RatingLoader create(SyntheticOptions options) {
    return new SyntheticLoader(options);
  }
}
