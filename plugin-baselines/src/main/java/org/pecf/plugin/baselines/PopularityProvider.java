package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of popularity. */
public final class PopularityProvider implements BaseFilterProvider<PopularityOptions> {
  static final String ID = "popularity";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "the mean rating of each item, the same for all users", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<PopularityOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), PopularityOptions.class);
  }

  @Override
  public BaseFilter create(PopularityOptions options) {
    return new Popularity(options);
  }
}
