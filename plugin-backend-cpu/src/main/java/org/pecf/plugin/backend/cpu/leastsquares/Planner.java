package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.backend.base.leastsquares.PathChoice;

/** Choose a path for a problem by estimated cost, and prepare it. */
public final class Planner {
  /**
   * How many times slower a flop is among gathered exceptions than in a large product. At rank 50
   * both paths take the same time at a quarter of the cells where rows are factorised, at two
   * fifths where conjugate gradients do; which it will be is not known beforehand.
   */
  private static final double GATHERED = 2;

  private Planner() {}

  /** Prepare a problem on the path the run asks for. */
  public static LeastSquares prepare(Setting setting, LeastSquaresRequest request) {
    return PathChoice.prepare(
        setting.context(),
        request,
        GATHERED,
        new PathChoice.Paths() {
          @Override
          public LeastSquares dense(String reason) {
            return Planner.dense(setting, request, reason);
          }

          @Override
          public Optional<LeastSquares> corrected(Background background, long most, String reason) {
            return Planner.corrected(setting, request, background, most, reason);
          }

          @Override
          public double room() {
            return 0.8 * setting.allocator().getHeadroom() / Corrections.BYTES;
          }
        });
  }

  private static Optional<LeastSquares> corrected(
      Setting setting,
      LeastSquaresRequest request,
      Background background,
      long most,
      String reason) {
    Corrections corrections = Corrections.find(setting, request, background, most);
    if (corrections == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new CorrectedPath(setting, request, background, corrections, reason));
    } catch (RuntimeException | Error e) {
      corrections.close();
      throw e;
    }
  }

  private static LeastSquares dense(Setting setting, LeastSquaresRequest request, String reason) {
    long need =
        DensePath.leastBytes(setting.shape(), request.rank(), setting.parallelism().threads());
    if (need > setting.allocator().getHeadroom()) {
      throw PecfException.resources(
          "The dense path needs %d MB of memory at rank %d, of which %d MB are left. Raise"
              + " --memory, or lower --rank or --threads.",
          need >> 20, request.rank(), setting.allocator().getHeadroom() >> 20);
    }
    return new DensePath(setting, request, reason);
  }
}
