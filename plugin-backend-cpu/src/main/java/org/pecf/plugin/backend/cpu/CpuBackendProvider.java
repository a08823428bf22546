package org.pecf.plugin.backend.cpu;

import java.lang.invoke.MethodHandles;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of the CPU backend. */
public final class CpuBackendProvider
    implements ComputeBackendProvider<CpuBackendProvider.Options> {
  /** The options of the CPU backend. */
  public record Options(
      @Option(
              value = "linear algebra: openblas, ejml, or auto for OpenBLAS where it loads",
              defaultValue = "auto")
          Library library) {
    /** The libraries. */
    enum Library {
      AUTO,
      OPENBLAS,
      EJML
    }
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "cpu", "this machine's cores, by OpenBLAS or in Java alone", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public ComputeBackend create(Options options) {
    return new CpuBackend(options);
  }
}
