package ${package};

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of ${id}. */
public final class MyWeightingProvider implements WeightingSchemeProvider<MyWeightingProvider.Options> {
  /**
   * The options.
   *
   * @param power the power of the size of the error
   */
  public record Options(
      @Option(value = "power of the error", defaultValue = "1", min = 0, max = 10) double power) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription("${id}", "a power of the error", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public WeightingScheme create(Options options) {
    MyWeight weight = new MyWeight((float) options.power());
    return (state, kernels) ->
        CellField.product(state.confidence(), new Apply(weight, List.of(state.error())));
  }
}
