package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.backend.leastsquares.Background;
import org.pecf.backend.leastsquares.PathChoice;

/** The preparation of a problem on the path of the lowest estimated cost. */
public final class Planner {
  /**
   * The cost of a flop among gathered exceptions, relative to one in a large product. At rank 50
   * both paths take the same time at a quarter of the cells if rows are factorised, at two fifths
   * with conjugate gradients; which of the two applies is not known beforehand.
   */
  private static final double GATHERED = 2;

  private Planner() {}

  /** Prepare a problem on the path that the run requests. */
  public static LeastSquares prepare(CpuContext context, LeastSquaresRequest request) {
    return PathChoice.prepare(
        context.session(),
        request,
        GATHERED,
        new PathChoice.Paths() {
          @Override
          public LeastSquares dense(String reason) {
            return Planner.dense(context, request, reason);
          }

          @Override
          public Optional<LeastSquares> corrected(Background background, long most, String reason) {
            return Planner.corrected(context, request, background, most, reason);
          }

          @Override
          public boolean takesItems() {
            return true;
          }

          @Override
          public boolean takesUsers() {
            return true;
          }

          @Override
          public double room() {
            return 0.8 * context.allocator().getHeadroom() / Corrections.BYTES;
          }
        });
  }

  private static Optional<LeastSquares> corrected(
      CpuContext context,
      LeastSquaresRequest request,
      Background background,
      long most,
      String reason) {
    return Corrections.find(context, request, background, most)
        .map(corrections -> corrected(context, request, background, corrections, reason));
  }

  private static LeastSquares corrected(
      CpuContext context,
      LeastSquaresRequest request,
      Background background,
      Corrections corrections,
      String reason) {
    try {
      return new CorrectedPath(context, request, background, corrections, reason);
    } catch (RuntimeException | Error e) {
      corrections.close();
      throw e;
    }
  }

  private static LeastSquares dense(
      CpuContext context, LeastSquaresRequest request, String reason) {
    long need =
        DensePath.leastBytes(context.shape(), request.rank(), context.parallelism().threads());
    if (need > context.allocator().getHeadroom()) {
      throw PecfException.resources(
          "The dense path needs %d MiB of memory at rank %d, and %d MiB are left. Raise the memory"
              + " limit, or lower the rank or the number of threads.",
          need >> 20, request.rank(), context.allocator().getHeadroom() >> 20);
    }
    return new DensePath(context, request, reason);
  }
}
