package org.pecf.plugin.related.accams;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of Bayesian additive co-clustering. */
public final class BaccamsProvider implements BaseFilterProvider<BaccamsProvider.Options> {
  static final String ID = "baccams";

  /** The hyper-parameters of bACCAMS. */
  public record Options(
      @Option(value = "co-clusterings in the sum", defaultValue = "5", min = 1, max = 1000)
          int stencils,
      @Option(
              value = "most clusters of users, and of items, in a stencil",
              defaultValue = "32",
              min = 1,
              max = 1000)
          int clusters,
      @Option(value = "readiness to open a new cluster", defaultValue = "1", min = 1e-9, max = 1e9)
          double concentration,
      @Option(
              value = "prior standard deviation of a stencil's entries",
              defaultValue = "0.5",
              min = 1e-6,
              max = 1e6)
          double deviation,
      @Option(
              value = "shape of the inverse gamma prior of the noise",
              defaultValue = "1",
              min = 1e-6,
              max = 1e9)
          double noiseShape,
      @Option(
              value = "scale of the inverse gamma prior of the noise",
              defaultValue = "0.1",
              min = 1e-9,
              max = 1e9)
          double noiseScale,
      @Option(value = "sweeps before the first sample", defaultValue = "20", min = 0, max = 1000000)
          int burnIn,
      @Option(
              value = "samples to average; the model's rank grows with them",
              defaultValue = "5",
              min = 1,
              max = 1000)
          int samples,
      @Option(
              value = "sweeps from one sample to the next",
              defaultValue = "2",
              min = 1,
              max = 100000)
          int spacing,
      @Option(
              value = "share of the missing cells to learn from; their weights grow accordingly",
              defaultValue = "0.01",
              min = 1e-6,
              max = 1)
          double negatives) {

    /** Return the number of sweeps. */
    int sweeps() {
      return Math.addExact(burnIn, Math.multiplyExact(samples, spacing));
    }
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "Bayesian additive co-clustering by Gibbs sampling (bACCAMS)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new Baccams(options);
  }
}
