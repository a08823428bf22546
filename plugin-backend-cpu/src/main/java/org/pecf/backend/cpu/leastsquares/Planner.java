package org.pecf.backend.cpu.leastsquares;

import java.util.Locale;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.memory.GridShape;
import org.pecf.backend.base.Background;

/** Choose a path for a problem by estimated cost, and prepare it. */
public final class Planner {
  /**
   * How many times slower a flop is among gathered exceptions than in a large product: measured
   * where both paths take the same time, at about a quarter of the cells at rank 50.
   */
  private static final double GATHERED = 2;

  private Planner() {}

  /** Prepare a problem on the path the run asks for. */
  public static LeastSquares prepare(Setting setting, LeastSquaresRequest request) {
    ComputationPath path = setting.resources().path();
    if (path == ComputationPath.DENSE) {
      return dense(setting, request, "asked for");
    }
    double tolerance = setting.resources().weightError();
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
      return dense(setting, request, obstacle.get());
    }
    Background background = Background.of(request.weights(), request.targets(), tolerance);
    boolean asked = path == ComputationPath.CORRECTED;
    long most = asked ? Long.MAX_VALUE : mostExceptions(setting, request.rank());
    Corrections corrections = Corrections.find(setting, request, background, most);
    if (corrections == null) {
      return dense(
          setting,
          request,
          String.format(
              Locale.ROOT,
              "more than %.0f %% of the cells would be exceptions",
              100.0 * most / setting.shape().cells()));
    }
    try {
      return new CorrectedPath(
          setting, request, background, corrections, asked ? "asked for" : "cheaper");
    } catch (RuntimeException | Error e) {
      corrections.close();
      throw e;
    }
  }

  private static LeastSquares dense(Setting setting, LeastSquaresRequest request, String reason) {
    long need =
        DensePath.leastBytes(setting.shape(), request.rank(), setting.parallelism().threads());
    if (need > setting.allocator().getHeadroom()) {
      throw new PecfException(
          ErrorCode.RESOURCES,
          String.format(
              Locale.ROOT,
              "the dense path needs %d MB of memory at rank %d, of which %d MB are left. Raise"
                  + " --memory, or lower --rank or --threads.",
              need >> 20,
              request.rank(),
              setting.allocator().getHeadroom() >> 20));
    }
    return new DensePath(setting, request, reason);
  }

  /** Return up to how many exceptions the corrected path is the cheaper one, and fits in memory. */
  private static long mostExceptions(Setting setting, int rank) {
    GridShape shape = setting.shape();
    double dense = (double) shape.cells() * rank * (rank + 1);
    double most = dense / (2.0 * rank * rank * GATHERED);
    return (long) Math.min(most, 0.8 * setting.allocator().getHeadroom() / Corrections.BYTES);
  }
}
