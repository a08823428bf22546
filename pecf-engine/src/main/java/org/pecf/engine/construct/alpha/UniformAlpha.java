package org.pecf.engine.construct.alpha;

import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of {@code alpha = 1 / (k + 1)}: all members of a mixture count the same. */
public final class UniformAlpha implements AlphaStrategyProvider<NoOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "uniform", "every member of a mixture counts the same", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<NoOptions> options() {
    return NoOptions.schema();
  }

  @Override
  public AlphaStrategy create(NoOptions options) {
    return (step, kernels) -> 1.0 / (step.members() + 1);
  }
}
