package org.pecf.plugin.backend.cuda;

import java.lang.invoke.MethodHandles;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.plugin.backend.cuda.device.TileSizes;

/** The provider of the CUDA backend. */
public final class CudaBackendProvider implements ComputeBackendProvider<CudaOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription("cuda", "an NVIDIA device, by CUDA 12", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<CudaOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), CudaOptions.class);
  }

  @Override
  public ComputeBackend create(CudaOptions options) {
    return new CudaBackend(options, TileSizes.USEFUL);
  }
}
