package org.pecf.engine.construct.weighting;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Posterior;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/**
 * The provider of the paper's weighting: {@code c rho}, {@code rho = 1 / (1 + nu exp(-e^2 /
 * sigma^2))}.
 */
public final class PosteriorWeighting implements WeightingSchemeProvider<PosteriorOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "posterior",
        "the probability that a cell belongs to the new filter, given the ensemble's error",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<PosteriorOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), PosteriorOptions.class);
  }

  @Override
  public WeightingScheme create(PosteriorOptions options) {
    return (state, kernels) -> {
      double scale =
          switch (options.scaling()) {
            case RAW -> 1;
            case UNIT -> 1 + options.nu();
            case MEAN -> scaleToMean(options, state, kernels);
          };
      return weights(options, scale, state);
    };
  }

  private static CellField weights(PosteriorOptions options, double scale, EnsembleState state) {
    Posterior rho = new Posterior((float) options.nu(), (float) options.sigma(), (float) scale);
    return CellField.product(state.confidence(), new Apply(rho, List.of(state.error())));
  }

  /** Return {@code sum c / sum c rho}. */
  private static double scaleToMean(
      PosteriorOptions options, EnsembleState state, FieldKernels kernels) {
    double[] sums = kernels.sums(List.of(state.confidence(), weights(options, 1, state)));
    return sums[1] > 0 ? sums[0] / sums[1] : 1;
  }
}
