package org.pecf.plugin.bpr;

import java.lang.invoke.MethodHandles;
import java.util.OptionalDouble;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of Bayesian personalised ranking. */
public final class BprProvider implements BaseFilterProvider<BprProvider.Options> {
  static final String ID = "bpr";

  /**
   * The hyper-parameters of Bayesian personalised ranking.
   *
   * @param rank the number of factors, d, without the item bias
   */
  public record Options(
      @Option(value = "number of factors", defaultValue = "50", min = 1, max = 4096) int rank,
      @Option(
              value = "epochs, each with one sample per positive",
              defaultValue = "30",
              min = 1,
              max = 1e5)
          int iterations,
      @Option(value = "step length", defaultValue = "0.1", min = 1e-9, max = 10)
          double learningRate,
      @Option(value = "change of the learning rate from epoch to epoch", defaultValue = "constant")
          Options.Schedule learningRateSchedule,
      @Option(value = "penalty of all factors of a sample", defaultValue = "0.01", min = 0)
          double lambda,
      @Option(value = "penalty of users, if different from lambda", defaultValue = "", min = 0)
          OptionalDouble lambdaUser,
      @Option(
              value = "penalty of positive items, if different from lambda",
              defaultValue = "",
              min = 0)
          OptionalDouble lambdaItem,
      @Option(
              value = "penalty of negative items, if different from lambda",
              defaultValue = "",
              min = 0)
          OptionalDouble lambdaNegative,
      @Option(
              value = "distribution of negatives: uniform over items, or by popularity",
              defaultValue = "uniform")
          Negatives negatives,
      @Option(
              value = "with negatives=popularity, the power of an item's number of positives",
              defaultValue = "0.75",
              min = 0,
              max = 10)
          double popularityPower,
      @Option(value = "whether items have a bias", defaultValue = "true") boolean bias,
      @Option(
              value = "deterministic: equal seeds give equal models; lock-free: they do not quite",
              defaultValue = "deterministic")
          PairwiseMode mode,
      @Option(
              value = "standard deviation of the random start",
              defaultValue = "0.1",
              min = 1e-6,
              max = 100)
          double deviation) {
    /** The distribution from which negatives are drawn. */
    enum Negatives {
      /** Uniform over all items. */
      UNIFORM,
      /** In proportion to a power of the number of positives. */
      POPULARITY
    }

    /** Return the penalties. */
    PairwisePenalties penalties() {
      return new PairwisePenalties(
          lambdaUser.orElse(lambda), lambdaItem.orElse(lambda), lambdaNegative.orElse(lambda));
    }

    /** Return the power of popularity by which negatives are drawn. */
    double popularity() {
      return negatives == Negatives.UNIFORM ? 0 : popularityPower;
    }

    /** The change of the learning rate from epoch to epoch. */
    enum Schedule {
      /** No change. */
      CONSTANT {
        @Override
        double next(double rate, double start, double left, double lossBefore, double loss) {
          return rate;
        }
      },
      /** A fall by the same amount after every epoch, to 0 after the last. */
      LINEAR {
        @Override
        double next(double rate, double start, double left, double lossBefore, double loss) {
          return start * left;
        }
      },
      /** A rise by a twentieth when the loss fell, and a halving when it rose. */
      BOLD_DRIVER {
        @Override
        double next(double rate, double start, double left, double lossBefore, double loss) {
          return loss <= lossBefore ? 1.05 * rate : 0.5 * rate;
        }
      };

      /**
       * Return the rate of the next epoch.
       *
       * @param rate the rate of the last epoch
       * @param start the rate of the first epoch
       * @param left the share of epochs still to come
       * @param lossBefore the loss of the epoch before the last
       * @param loss the loss of the last epoch
       */
      abstract double next(double rate, double start, double left, double lossBefore, double loss);
    }
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "Bayesian personalised ranking: factors that rank positives above other items",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new PersonalisedRanking(options);
  }
}
