package ${package};

import java.lang.invoke.MethodHandles;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of ${id}. */
public final class MyAlphaProvider implements AlphaStrategyProvider<MyAlphaProvider.Options> {
  /**
   * The options.
   *
   * @param decay the speed at which the steps shrink
   */
  public record Options(
      @Option(value = "how fast the steps shrink", defaultValue = "1", min = 0, max = 10)
          double decay) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription("${id}", "steps that shrink with the size of the ensemble", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  /** Return {@code alpha = 1 / (members + 1)^decay}; kernels can sum fields if a rule needs it. */
  @Override
  public AlphaStrategy create(Options options) {
    return (step, kernels) -> Math.pow(step.members() + 1, -options.decay());
  }
}
