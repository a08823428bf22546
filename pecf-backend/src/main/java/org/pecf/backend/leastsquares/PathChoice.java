package org.pecf.backend.leastsquares;

import java.util.Locale;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;

/** The choice of a path for a problem: the requested one, else the cheaper one. */
public final class PathChoice {
  /** The paths of a backend. */
  public interface Paths {
    /** Prepare the dense path. */
    LeastSquares dense(String reason);

    /** Prepare the corrected path, unless there are more exceptions than the given number. */
    Optional<LeastSquares> corrected(Background background, long most, String reason);

    /** Return whether the corrected path takes a background that differs by item. */
    boolean takesItems();

    /** Return whether the corrected path takes a background that differs by user and item. */
    default boolean takesUsers() {
      return false;
    }

    /** Return the number of exceptions for which there is memory. */
    double room();
  }

  private PathChoice() {}

  /**
   * Prepare a problem.
   *
   * @param gathered the cost of a flop among gathered exceptions, relative to one in a large
   *     product
   */
  public static LeastSquares prepare(
      SessionContext context, LeastSquaresRequest request, double gathered, Paths paths) {
    ComputationPath path = context.path();
    if (path == ComputationPath.DENSE) {
      return paths.dense("requested");
    }
    double tolerance = context.weightError();
    Optional<String> obstacle =
        Background.obstacle(request.weights(), request.targets(), tolerance)
            .or(() -> obstacleOfFactors(request, tolerance, paths));
    if (obstacle.isPresent()) {
      if (path == ComputationPath.CORRECTED) {
        throw PecfException.badOption(
            "The corrected path cannot be taken: %s. Use the dense path, or leave the choice to"
                + " auto.",
            obstacle.get());
      }
      return paths.dense(obstacle.get());
    }
    Background background = Background.of(request.weights(), request.targets(), tolerance);
    boolean asked = path == ComputationPath.CORRECTED;
    long cells = context.shape().cells();
    long most =
        asked
            ? Long.MAX_VALUE
            : (long) Math.min(cheapest(cells, request.rank(), gathered), paths.room());
    return paths
        .corrected(background, most, asked ? "requested" : "cheaper")
        .orElseGet(
            () ->
                paths.dense(
                    String.format(
                        Locale.ROOT,
                        "more than %.0f %% of the cells would be exceptions",
                        100.0 * most / cells)));
  }

  private static Optional<String> obstacleOfFactors(
      LeastSquaresRequest request, double tolerance, Paths paths) {
    if (tolerance == 0) {
      return Optional.empty();
    }
    CellField within = SeparableWeights.within(request.weights());
    boolean users = !paths.takesUsers() && SeparableWeights.around(request.weights()).isPresent();
    boolean items = !paths.takesItems() && SeparableWeights.items(within).isPresent();
    return Optional.of("user and item")
        .filter(both -> users)
        .or(() -> Optional.of("item").filter(item -> items))
        .map(
            side ->
                "the weights of zeros differ by " + side + ", which this backend does not correct");
  }

  /** Return the number of exceptions up to which the corrected path is the cheaper one. */
  private static double cheapest(long cells, int rank, double gathered) {
    double dense = (double) cells * rank * (rank + 1);
    return dense / (2.0 * rank * rank * gathered);
  }
}
