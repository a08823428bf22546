package org.pecf.plugin.wmf;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of weighted matrix factorisation. */
public final class WmfProvider implements BaseFilterProvider<WmfOptions> {
  static final String ID = "wmf";

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "weighted matrix factorisation by alternating least squares (ALS)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<WmfOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), WmfOptions.class);
  }

  @Override
  public BaseFilter create(WmfOptions options) {
    return new WeightedMatrixFactorisation(options);
  }
}
