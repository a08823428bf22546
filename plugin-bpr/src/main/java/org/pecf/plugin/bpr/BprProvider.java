package org.pecf.plugin.bpr;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of Bayesian personalised ranking. */
public final class BprProvider implements BaseFilterProvider<BprOptions> {
  static final String ID = "bpr";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "Bayesian personalised ranking: factors that rank positives above other items",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<BprOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), BprOptions.class);
  }

  @Override
  public BaseFilter create(BprOptions options) {
    return new PersonalisedRanking(options);
  }
}
