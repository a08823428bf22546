package org.pecf.plugin.wmf;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of local low-rank approximation. */
public final class LlormaProvider implements BaseFilterProvider<LlormaProvider.Options> {
  static final String ID = "llorma";

  /** The hyper-parameters of local low-rank approximation. */
  public record Options(
      @Option(
              value = "anchors among the users, and among the items; each pair has a local model",
              defaultValue = "4",
              min = 1,
              max = 64)
          int anchors,
      @Option(
              value = "angle from an anchor, in radians, at which its influence ends",
              defaultValue = "2.5",
              min = 0.01,
              max = 100)
          double bandwidth,
      @Option(
              value = "number of factors of each local model",
              defaultValue = "10",
              min = 1,
              max = 1024)
          int rank,
      @Option(value = "sweeps of each local model", defaultValue = "8", min = 1, max = 100000)
          int iterations,
      @Option(
              value = "penalty of users and items; a local model has its share of it",
              defaultValue = "4",
              min = 1e-6)
          double lambda,
      @Option(
              value = "a row's penalty grows with its weight to this power; the mean stays",
              defaultValue = "1",
              min = 0,
              max = 1)
          double frequencyExponent,
      @Option(
              value = "standard deviation of the random start",
              defaultValue = "0.1",
              min = 1e-6,
              max = 100)
          double deviation) {

    /** Return the options of the factorisations. */
    WmfProvider.Options factorisation() {
      return WmfProvider.Options.of(rank, iterations, lambda, frequencyExponent, deviation);
    }
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "local low-rank approximations around anchors, averaged smoothly", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new LocalLowRank(options);
  }
}
