package org.pecf.plugin.backend.cpu;

import java.lang.invoke.MethodHandles;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of the CPU backend. */
public final class CpuBackendProvider implements ComputeBackendProvider<CpuOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "cpu", "this machine's cores, by OpenBLAS or in Java alone", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<CpuOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), CpuOptions.class);
  }

  @Override
  public ComputeBackend create(CpuOptions options) {
    return new CpuBackend(options);
  }
}
