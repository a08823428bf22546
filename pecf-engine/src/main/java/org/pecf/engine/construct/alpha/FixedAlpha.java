package org.pecf.engine.construct.alpha;

import java.lang.invoke.MethodHandles;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/**
 * The provider of one fixed alpha for all members: with additive members, the shrinkage of
 * boosting.
 */
public final class FixedAlpha implements AlphaStrategyProvider<FixedAlpha.Options> {
  /** The options of the fixed alpha. */
  public record Options(
      @Option(value = "the weight of every new member", defaultValue = "0.5", min = 0, max = 1)
          double value) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription("fixed", "the same weight every time", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public AlphaStrategy create(Options options) {
    return (step, kernels) -> options.value();
  }
}
