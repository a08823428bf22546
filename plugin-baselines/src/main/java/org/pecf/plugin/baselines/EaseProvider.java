package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of EASE. */
public final class EaseProvider implements BaseFilterProvider<EaseOptions> {
  static final String ID = "ease";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "linear item-to-item model in closed form (EASE)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<EaseOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), EaseOptions.class);
  }

  @Override
  public BaseFilter create(EaseOptions options) {
    return new Ease(options);
  }
}
