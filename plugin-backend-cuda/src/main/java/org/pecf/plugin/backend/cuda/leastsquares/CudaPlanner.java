package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.Optional;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.backend.leastsquares.Background;
import org.pecf.backend.leastsquares.PathChoice;
import org.pecf.plugin.backend.cuda.device.Device;

/** The preparation of a problem on the path of the lowest estimated cost. */
public final class CudaPlanner {
  /**
   * The cost of a flop among gathered exceptions, relative to one in a large product: by a model of
   * the device, see docs/performance.md.
   */
  private static final double GATHERED = 4;

  /** The share of free device memory that exceptions may take. */
  private static final double SHARE = 0.5;

  private CudaPlanner() {}

  /** Prepare a problem on the path that the run requests. */
  public static LeastSquares prepare(
      SessionContext context, Device device, LeastSquaresRequest request) {
    context.run().cancellation().check();
    return PathChoice.prepare(
        context,
        request,
        GATHERED,
        new PathChoice.Paths() {
          @Override
          public LeastSquares dense(String reason) {
            return new CudaDensePath(context, device, request, reason);
          }

          @Override
          public Optional<LeastSquares> corrected(Background background, long most, String reason) {
            return new CudaExceptionFinder(context, device, request, background, most)
                .find()
                .map(
                    found ->
                        CudaPlanner.corrected(context, device, request, background, found, reason));
          }

          @Override
          public boolean takesItems() {
            return true;
          }

          @Override
          public double room() {
            return SHARE * device.freeBytes() / CudaCorrections.BYTES;
          }
        });
  }

  private static LeastSquares corrected(
      SessionContext context,
      Device device,
      LeastSquaresRequest request,
      Background background,
      CudaCorrections corrections,
      String reason) {
    try {
      return new CudaCorrectedPath(context, device, request, background, corrections, reason);
    } catch (RuntimeException | Error e) {
      corrections.close();
      throw e;
    }
  }
}
