package org.pecf.plugin.backend.cuda;

import java.lang.invoke.MethodHandles;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.PeakRates;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.plugin.backend.cuda.device.CompiledKernels;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.Driver;

/** The provider of NVIDIA devices. */
public final class CudaBackendProvider implements ComputeBackendProvider<CudaOptions> {
  private final CompiledKernels compiled = new CompiledKernels();

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription("cuda", "an NVIDIA device, by CUDA 12", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<CudaOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), CudaOptions.class);
  }

  @Override
  public Availability probe() {
    return Driver.probe();
  }

  @Override
  public Optional<PeakRates> peakRates() {
    return Driver.peakRates();
  }

  @Override
  public ComputeSession open(CudaOptions options, SessionContext context) {
    Availability availability = probe();
    if (!availability.available()) {
      throw PecfException.unavailable("%s", availability.explanation());
    }
    Device.Setup setup =
        new Device.Setup(
            options.device(),
            options.math() == CudaOptions.Math.TF32,
            options.kernels().name(),
            compiled);
    return CudaSession.open(setup, context);
  }
}
