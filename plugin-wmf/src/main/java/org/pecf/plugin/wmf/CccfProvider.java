package org.pecf.plugin.wmf;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of co-clustering with a factorisation for each cluster. */
public final class CccfProvider implements BaseFilterProvider<CccfProvider.Options> {
  static final String ID = "cccf";

  /** The hyper-parameters of co-clustering with a factorisation for each cluster. */
  public record Options(
      @Option(value = "number of clusters", defaultValue = "4", min = 1, max = 1024) int clusters,
      @Option(
              value = "share of a row's positives by which it belongs to a cluster",
              defaultValue = "0.05",
              min = 0,
              max = 1)
          double threshold,
      @Option(
              value = "number added to every count of positives",
              defaultValue = "0.1",
              min = 1e-6,
              max = 1e6)
          double prior,
      @Option(
              value = "how often the cluster of every positive is drawn",
              defaultValue = "50",
              min = 1,
              max = 100000)
          int sweeps,
      @Option(
              value = "number of factors of each factorisation",
              defaultValue = "20",
              min = 1,
              max = 1024)
          int rank,
      @Option(value = "sweeps of each factorisation", defaultValue = "8", min = 1, max = 100000)
          int iterations,
      @Option(
              value = "penalty of users and items; each factorisation has its share of it",
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
        ID,
        "overlapping clusters of users and items, each with a factorisation",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new CoClusteredFactors(options);
  }
}
