package com.example.focal;

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

/**
 * The provider of focal weighting: {@code c max(floor, min(1, |e|))^gamma} of the ensemble's error e.
 *
 * <p>The weights are a tree of cell fields, not numbers: the backend that trains the next filter
 * evaluates them tile by tile, on its own device or machine.
 */
public final class FocalProvider implements WeightingSchemeProvider<FocalProvider.Options> {
  /**
   * The options of the weighting.
   *
   * @param gamma how strongly badly predicted cells stand out; 0 weighs all alike
   * @param floor the error below which cells count as predicted well
   */
  public record Options(
      @Option(
              value = "how strongly badly predicted cells stand out",
              defaultValue = "1",
              min = 0,
              max = 10)
          double gamma,
      @Option(
              value = "error below which a cell counts as predicted well",
              defaultValue = "0.1",
              min = 1e-3,
              max = 1)
          double floor) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "focal", "a power of the ensemble's error, as in focal loss", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public WeightingScheme create(Options options) {
    Focal focal = new Focal((float) options.gamma(), (float) options.floor());
    return (state, kernels) ->
        CellField.product(state.confidence(), new Apply(focal, List.of(state.error())));
  }
}
