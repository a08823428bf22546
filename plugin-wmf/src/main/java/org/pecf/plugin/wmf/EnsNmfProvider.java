package org.pecf.plugin.wmf;

import java.lang.invoke.MethodHandles;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of ensembles of local non-negative factorisations. */
public final class EnsNmfProvider implements BaseFilterProvider<EnsNmfProvider.Options> {
  static final String ID = "ens-nmf";

  /** The hyper-parameters of an ensemble of local non-negative factorisations. */
  public record Options(
      @Option(
              value = "number of factorisations, each of what those before leave",
              defaultValue = "20",
              min = 1,
              max = 1000)
          int stages,
      @Option(
              value = "number of factors of each factorisation",
              defaultValue = "5",
              min = 1,
              max = 1024)
          int rank,
      @Option(value = "sweeps of each factorisation", defaultValue = "30", min = 1, max = 100000)
          int iterations) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "local non-negative factorisations of residuals (L-EnsNMF)", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new LocalNonNegative(options);
  }
}
