package org.pecf.plugin.wmf;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of co-clustering with a factorisation for each cluster. */
public final class CccfProvider implements BaseFilterProvider<CccfOptions> {
  static final String ID = "cccf";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "overlapping clusters of users and items, each with a factorisation",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<CccfOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), CccfOptions.class);
  }

  @Override
  public BaseFilter create(CccfOptions options) {
    return new CoClusteredFactors(options);
  }
}
