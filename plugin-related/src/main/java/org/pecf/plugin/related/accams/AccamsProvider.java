package org.pecf.plugin.related.accams;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of additive co-clustering by alternating minimisation. */
public final class AccamsProvider implements BaseFilterProvider<AccamsOptions> {
  static final String ID = "accams";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "additive co-clustering by alternating minimisation (ACCAMS)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<AccamsOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), AccamsOptions.class);
  }

  @Override
  public BaseFilter create(AccamsOptions options) {
    return new Accams(options);
  }
}
