package org.pecf.plugin.backend.cuda;

import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.PeakRates;
import org.pecf.api.compute.SessionContext;
import org.pecf.backend.base.session.MemoryEstimate;
import org.pecf.plugin.backend.cuda.device.CompiledKernels;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.Driver;
import org.pecf.plugin.backend.cuda.device.TileSizes;

/**
 * One NVIDIA device.
 *
 * @param options the device and how it is used
 * @param compiled the kernels that were compiled before, shared by all sessions
 * @param tiles the largest pieces of work
 */
record CudaBackend(CudaOptions options, CompiledKernels compiled, TileSizes tiles)
    implements ComputeBackend {
  @Override
  public Availability probe() {
    return Driver.probe(options.device());
  }

  /** Return 100: a device is faster than the processor, and other backends fit in between. */
  @Override
  public int preference() {
    return 100;
  }

  @Override
  public long memoryEstimate(SessionContext context, int rank) {
    return MemoryEstimate.bytes(context, rank);
  }

  @Override
  public Optional<PeakRates> peakRates() {
    return Driver.peakRates(options.device());
  }

  @Override
  public ComputeSession open(SessionContext context) {
    Availability availability = probe();
    if (!availability.available()) {
      throw PecfException.unavailable("%s", availability.explanation());
    }
    Device.Setup setup =
        new Device.Setup(
            options.device(),
            options.math() == CudaOptions.Math.TF32,
            options.kernels().name(),
            compiled,
            tiles);
    return CudaSession.open(setup, context);
  }
}
