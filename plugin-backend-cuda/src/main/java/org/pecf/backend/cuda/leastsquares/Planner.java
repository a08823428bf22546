package org.pecf.backend.cuda.leastsquares;

import java.util.Locale;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeResources;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.backend.cuda.device.Device;

/** Choose a path for a problem by estimated cost, and prepare it. */
public final class Planner {
  /**
   * How many times slower a flop is among gathered exceptions than in a large product: by a model
   * of the device, see docs/performance.md.
   */
  private static final double GATHERED = 8;

  /** The share of free device memory that exceptions may take. */
  private static final double SHARE = 0.5;

  private Planner() {}

  /** Prepare a problem on the path the run asks for. */
  public static LeastSquares prepare(
      ComputeResources resources, Device device, LeastSquaresRequest request) {
    resources.cancellation().check();
    ComputationPath path = resources.path();
    if (path == ComputationPath.DENSE) {
      return new DensePath(resources, device, request, "asked for");
    }
    double tolerance = resources.weightError();
    Optional<String> obstacle =
        Background.obstacle(request.weights(), request.targets(), tolerance);
    if (obstacle.isPresent()) {
      if (path == ComputationPath.CORRECTED) {
        throw new PecfException(
            ErrorCode.BAD_OPTION,
            "the corrected path cannot be taken: "
                + obstacle.get()
                + ". Use --path dense or --path auto.");
      }
      return new DensePath(resources, device, request, obstacle.get());
    }
    Background background = Background.of(request.weights(), request.targets(), tolerance);
    boolean asked = path == ComputationPath.CORRECTED;
    long most = asked ? Long.MAX_VALUE : mostExceptions(resources, device, request.rank());
    Optional<Corrections> corrections =
        Corrections.find(resources, device, request, background, most);
    if (corrections.isEmpty()) {
      return new DensePath(
          resources,
          device,
          request,
          String.format(
              Locale.ROOT,
              "more than %.0f %% of the cells would be exceptions",
              100.0 * most / resources.shape().cells()));
    }
    try {
      return new CorrectedPath(
          resources,
          device,
          request,
          background,
          corrections.get(),
          asked ? "asked for" : "cheaper");
    } catch (RuntimeException | Error e) {
      corrections.get().close();
      throw e;
    }
  }

  /** Return up to how many exceptions the corrected path is the cheaper one, and fits in memory. */
  private static long mostExceptions(ComputeResources resources, Device device, int rank) {
    double dense = (double) resources.shape().cells() * rank * (rank + 1);
    double most = dense / (2.0 * rank * rank * GATHERED);
    return (long) Math.min(most, SHARE * device.freeBytes() / Corrections.BYTES);
  }
}
