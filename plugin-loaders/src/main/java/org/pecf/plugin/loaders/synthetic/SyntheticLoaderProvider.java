package org.pecf.plugin.loaders.synthetic;

import java.lang.invoke.MethodHandles;
import java.util.OptionalDouble;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of embedded synthetic data. */
public final class SyntheticLoaderProvider
    implements RatingLoaderProvider<SyntheticLoaderProvider.Options> {
  /**
   * The options of the synthetic loader. Those that are 0 or unset are taken from the named data
   * set.
   */
  public record Options(
      @Option(value = "number of users; 0 = as the named set", defaultValue = "0", min = 0)
          int users,
      @Option(value = "number of items; 0 = as the named set", defaultValue = "0", min = 0)
          int items,
      @Option(value = "number of positives; 0 = by the density", defaultValue = "0", min = 0)
          long positives,
      @Option(
              value = "share of cells that are positives; unset = as the named set",
              defaultValue = "",
              min = 0,
              max = 1)
          OptionalDouble density,
      @Option(
              value = "number of taste groups; 0 = as the named set",
              defaultValue = "0",
              min = 0,
              max = 1000)
          int groups,
      @Option(value = "seed of everything that is drawn", defaultValue = "1") long seed) {
    public Options {
      if (positives > 0 && density.isPresent()) {
        throw new IllegalArgumentException("set positives or density, not both");
      }
    }
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "synthetic",
        "embedded data with planted taste groups, or noise: "
            + String.join(", ", Dimensions.locations()),
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public boolean embedsData() {
    return true;
  }

  @Override
  public RatingLoader create(Options options) {
    return new SyntheticLoader(options);
  }
}
