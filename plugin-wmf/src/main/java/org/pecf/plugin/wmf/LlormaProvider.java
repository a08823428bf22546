package org.pecf.plugin.wmf;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of local low-rank approximation. */
public final class LlormaProvider implements BaseFilterProvider<LlormaOptions> {
  static final String ID = "llorma";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "local low-rank approximations around anchors, averaged smoothly", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<LlormaOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), LlormaOptions.class);
  }

  @Override
  public BaseFilter create(LlormaOptions options) {
    return new LocalLowRank(options);
  }
}
