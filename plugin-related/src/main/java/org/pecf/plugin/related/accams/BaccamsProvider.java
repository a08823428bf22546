package org.pecf.plugin.related.accams;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of Bayesian additive co-clustering. */
public final class BaccamsProvider implements BaseFilterProvider<BaccamsOptions> {
  static final String ID = "baccams";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "Bayesian additive co-clustering by Gibbs sampling (bACCAMS)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<BaccamsOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), BaccamsOptions.class);
  }

  @Override
  public BaseFilter create(BaccamsOptions options) {
    return new Baccams(options);
  }
}
