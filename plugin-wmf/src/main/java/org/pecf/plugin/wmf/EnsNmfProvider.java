package org.pecf.plugin.wmf;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of ensembles of local non-negative factorisations. */
public final class EnsNmfProvider implements BaseFilterProvider<EnsNmfOptions> {
  static final String ID = "ens-nmf";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "local non-negative factorisations of residuals (L-EnsNMF)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<EnsNmfOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), EnsNmfOptions.class);
  }

  @Override
  public BaseFilter create(EnsNmfOptions options) {
    return new LocalNonNegative(options);
  }
}
