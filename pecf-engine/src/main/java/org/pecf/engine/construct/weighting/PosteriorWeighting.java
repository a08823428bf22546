package org.pecf.engine.construct.weighting;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Posterior;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.engine.construct.weighting.PosteriorWeighting.Options.Positives;
import org.pecf.engine.construct.weighting.PosteriorWeighting.Options.Zeros;

/**
 * The provider of the paper's weighting: {@code c rho}, {@code rho = 1 / (1 + nu exp(-e^2 /
 * sigma^2))}. Positives and zeros may also be weighed by rules of their own.
 */
public final class PosteriorWeighting
    implements WeightingSchemeProvider<PosteriorWeighting.Options> {
  /** The options of the posterior weighting. */
  public record Options(
      @Option(
              value = "how strongly well-predicted cells are weighed down",
              defaultValue = "10",
              min = 0,
              max = 1e6)
          double nu,
      @Option(
              value = "error at which the weight starts to saturate",
              defaultValue = "1",
              min = 1e-4,
              max = 1e4)
          double sigma,
      @Option(
              value =
                  "raw: rho itself; unit: a perfectly predicted cell keeps its weight; mean: the"
                      + " total weight stays as it is",
              defaultValue = "mean")
          Scaling scaling,
      @Option(
              value =
                  "positives by their error, or plain: all as those that are predicted perfectly",
              defaultValue = "error")
          Positives positives,
      @Option(
              value =
                  "zeros by their error, plain: all as those that are predicted perfectly, or"
                      + " doubt: the less the higher they score, for they may be positives that"
                      + " nobody saw",
              defaultValue = "error")
          Zeros zeros) {
    /** The scalings of rho. */
    enum Scaling {
      RAW,
      UNIT,
      MEAN
    }

    /** The weights of positives. */
    enum Positives {
      ERROR,
      PLAIN
    }

    /** The weights of zeros. */
    enum Zeros {
      ERROR,
      PLAIN,
      DOUBT
    }
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "posterior",
        "the probability that a cell belongs to the new filter, given the ensemble's error",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public WeightingScheme create(Options options) {
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

  private static CellField weights(Options options, double scale, EnsembleState state) {
    return CellField.product(state.confidence(), factor(options, (float) scale, state));
  }

  /**
   * Return rho where positives and zeros are both weighed by their error; else the sum of the
   * factor of positives, which is 1 / (1 + nu) on zeros, and the factor of zeros, which is 1 / (1 +
   * nu) on positives, less 1 / (1 + nu).
   */
  private static CellField factor(Options options, float scale, EnsembleState state) {
    Posterior rho = new Posterior((float) options.nu(), (float) options.sigma(), scale);
    if (options.positives() == Positives.ERROR && options.zeros() == Zeros.ERROR) {
      return new Apply(rho, List.of(state.error()));
    }
    float perfect = rho.value(new float[] {0});
    List<Linear.Term> sum = new ArrayList<>();
    if (options.positives() == Positives.ERROR) {
      sum.add(new Linear.Term(1, masked(rho, state, 1)));
    } else {
      sum.add(new Linear.Term(perfect, CellField.constant(1)));
    }
    if (options.zeros() != Zeros.PLAIN) {
      // Doubt falls from perfect to perfect / (1 + nu): perfect (1 + 1 / (1 + nu) - rho).
      float slope = options.zeros() == Zeros.ERROR ? 1 : (float) (-1 / (1 + options.nu()));
      sum.add(new Linear.Term(slope, masked(rho, state, 0)));
      sum.add(new Linear.Term(-slope * perfect, CellField.constant(1)));
    }
    return new Linear(sum);
  }

  /** Return rho of the error on cells of one rating, and of no error on the others. */
  private static CellField masked(Posterior rho, EnsembleState state, int rating) {
    CellField mask = CellField.observed(state.positives(), rating, 1 - rating);
    return new Apply(rho, List.of(CellField.product(mask, state.error())));
  }

  /** Return {@code sum c / sum c rho}. */
  private static double scaleToMean(Options options, EnsembleState state, FieldKernels kernels) {
    double[] sums = kernels.sums(List.of(state.confidence(), weights(options, 1, state)));
    return sums[1] > 0 ? sums[0] / sums[1] : 1;
  }
}
