package org.pecf.engine.construct.weighting;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.ValueRange;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/**
 * The provider of RankBoost's weights (Freund et al. 2003), AdaBoost's for a ranking: a pair of a
 * positive and a zero weighs {@code exp(rate (f_zero - f_positive))}. Over all pairs that is a
 * product of a weight for every cell, {@code exp(-rate f)} of a positive and {@code exp(rate f)} of
 * a zero, so no pair is ever looked at. The total weights of positives and of zeros stay as they
 * are.
 */
public final class RankBoostWeighting
    implements WeightingSchemeProvider<RankBoostWeighting.Options> {
  /** The options of RankBoost's weights. */
  public record Options(
      @Option(
              value = "how fast the weight of a pair falls with the difference of its scores",
              defaultValue = "1",
              min = 0,
              max = 100)
          double rate) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "rankboost",
        "positives scored low and zeros scored high, as RankBoost weighs them",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public WeightingScheme create(Options options) {
    return (state, kernels) -> weights(Factor.unscaled(options.rate()), state, kernels);
  }

  private static CellField weights(Factor factor, EnsembleState state, FieldKernels kernels) {
    CellField positive = state.ratings();
    CellField zero = CellField.difference(CellField.constant(1), state.ratings());
    double[] sums =
        kernels.sums(
            List.of(
                CellField.product(state.confidence(), positive),
                CellField.product(state.confidence(), zero),
                CellField.product(weights(factor, state), positive),
                CellField.product(weights(factor, state), zero)));
    return weights(factor.scaled(ratio(sums[0], sums[2]), ratio(sums[1], sums[3])), state);
  }

  private static double ratio(double wanted, double actual) {
    return wanted > 0 && actual > 0 ? wanted / actual : 1;
  }

  private static CellField weights(Factor factor, EnsembleState state) {
    return CellField.product(
        state.confidence(), new Apply(factor, List.of(state.ratings(), state.prediction())));
  }

  /**
   * The weight of a cell by its rating r and its score f: {@code positives exp(-rate f)} where r is
   * 1, {@code zeros exp(rate f)} where it is 0.
   *
   * @param rate at least 0
   * @param positives a constant factor of positives
   * @param zeros a constant factor of zeros
   */
  private record Factor(double rate, double positives, double zeros) implements CellFunction {
    /** The largest exponent: scores beyond it count as if they had it, so that sums stay finite. */
    private static final double LARGEST = 10;

    static Factor unscaled(double rate) {
      return new Factor(rate, 1, 1);
    }

    Factor scaled(double ofPositives, double ofZeros) {
      return new Factor(rate, ofPositives, ofZeros);
    }

    @Override
    public float value(float[] arguments) {
      return (float) at(arguments[0] > 0.5f, arguments[1]);
    }

    private double at(boolean positive, double score) {
      double exponent = Math.max(-LARGEST, Math.min(LARGEST, rate * score));
      return positive ? positives * Math.exp(-exponent) : zeros * Math.exp(exponent);
    }

    @Override
    public ValueRange range(List<ValueRange> arguments) {
      ValueRange ratings = arguments.get(0);
      ValueRange scores = arguments.get(1);
      if (ratings.low() <= 0.5 && ratings.high() > 0.5) {
        return ValueRange.UNBOUNDED;
      }
      boolean positive = ratings.low() > 0.5;
      double one = at(positive, scores.low());
      double other = at(positive, scores.high());
      return new ValueRange(Math.min(one, other), Math.max(one, other));
    }
  }
}
