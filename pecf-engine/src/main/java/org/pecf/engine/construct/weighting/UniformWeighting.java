package org.pecf.engine.construct.weighting;

import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/**
 * The provider of plain confidences for every filter: the control that shows the effect of
 * averaging alone.
 */
public final class UniformWeighting implements WeightingSchemeProvider<NoOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "uniform", "the plain confidences, whatever the ensemble predicts", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<NoOptions> options() {
    return NoOptions.schema();
  }

  @Override
  public WeightingScheme create(NoOptions options) {
    return (state, kernels) -> state.confidence();
  }
}
