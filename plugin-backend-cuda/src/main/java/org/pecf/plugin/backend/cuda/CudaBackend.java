package org.pecf.plugin.backend.cuda;

import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.PeakRates;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;
import org.pecf.backend.session.MemoryEstimate;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.Driver;
import org.pecf.plugin.backend.cuda.device.TileSizes;

/**
 * One NVIDIA device.
 *
 * @param options the device and how it is used
 * @param tiles the largest pieces of work
 */
record CudaBackend(CudaOptions options, TileSizes tiles) implements ComputeBackend {
  /** About the size of MovieLens 100K twice over, which the processor trains in a second. */
  private static final long WORTHWHILE_CELLS = 4_000_000;

  @Override
  public Availability probe() {
    return Driver.probe(options.device());
  }

  /**
   * Return 100 where a device is faster than the processor, so that other backends fit in between.
   * On a small grid opening the device and launching kernels would take longer than the work.
   */
  @Override
  public int preference(GridShape shape) {
    return shape.cells() >= WORTHWHILE_CELLS ? 100 : -100;
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
    Device.Setup setup = new Device.Setup(options.device(), options.math().cublasMode(), tiles);
    return CudaSession.open(setup, context);
  }
}
