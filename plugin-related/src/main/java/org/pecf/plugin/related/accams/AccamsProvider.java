package org.pecf.plugin.related.accams;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of additive co-clustering by alternating minimisation. */
public final class AccamsProvider implements BaseFilterProvider<AccamsProvider.Options> {
  static final String ID = "accams";

  /** The hyper-parameters of ACCAMS. */
  public record Options(
      @Option(value = "co-clusterings in the sum", defaultValue = "5", min = 1, max = 1000)
          int stencils,
      @Option(
              value = "clusters of users, and of items, of a stencil",
              defaultValue = "5",
              min = 1,
              max = 1000)
          int clusters,
      @Option(value = "sweeps over all stencils", defaultValue = "5", min = 1, max = 100000)
          int iterations,
      @Option(value = "fits of a stencil per sweep", defaultValue = "5", min = 1, max = 1000)
          int refinements,
      @Option(value = "competing starts of a new stencil", defaultValue = "3", min = 1, max = 1000)
          int restarts,
      @Option(value = "penalty of a stencil's entries", defaultValue = "10", min = 0) double lambda,
      @Option(
              value = "share of the missing cells to learn from; their weights grow accordingly",
              defaultValue = "0.01",
              min = 1e-6,
              max = 1)
          double negatives) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "additive co-clustering by alternating minimisation (ACCAMS)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new Accams(options);
  }
}
