package org.pecf.backend.algebra;

import java.util.Locale;
import org.pecf.api.memory.Side;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;

/**
 * The solver of rows whose equations are not positive definite in single precision, and the count
 * of those that are not so in double precision either.
 *
 * <p>Such a row gets a small number added to its diagonal, in steps of ten from 1e-9 to 1e-5 of the
 * diagonal's mean: the sums are made in single precision, so less than that is lost in them anyway.
 * A row that even the last step does not help has no stable solution. Safe for use by many threads.
 */
public final class UnstableRows {
  private static final double FIRST_SHARE = 1e-9;
  private static final double LAST_SHARE = 1e-5;
  private static final double STEP = 10;

  private int rows;
  private double largestShare;

  /** Create a solver that has counted no row. */
  public UnstableRows() {}

  /**
   * Solve {@code A x = b}, if need be with a larger diagonal.
   *
   * @return {@code b . x}
   * @throws org.pecf.api.PecfException if there is no stable solution
   */
  public double solve(
      Side side,
      int row,
      int order,
      DoubleCholesky.Matrix matrix,
      DoubleCholesky.Vector right,
      DoubleCholesky.Solution solution) {
    double product = DoubleCholesky.solve(order, matrix, right, solution);
    double mean = 0;
    for (int k = 0; k < order; k++) {
      mean += matrix.get(k, k) / order;
    }
    double share = FIRST_SHARE;
    while (!Double.isFinite(product) && mean > 0 && share < LAST_SHARE * STEP) {
      double added = share * mean;
      product =
          DoubleCholesky.solve(
              order, (i, j) -> matrix.get(i, j) + (i == j ? added : 0), right, solution);
      if (Double.isFinite(product)) {
        count(share);
      }
      share *= STEP;
    }
    return DoubleCholesky.checked(product, side, row);
  }

  private synchronized void count(double share) {
    rows++;
    largestShare = Math.max(largestShare, share);
  }

  /** Tell how many rows needed a larger diagonal since the last report, if any did. */
  public synchronized void report(RunListener listener) {
    if (rows > 0) {
      listener.on(new RowsStabilised(rows, largestShare));
      rows = 0;
      largestShare = 0;
    }
  }

  /**
   * The event that rows had equations without a stable solution, and were solved with a larger
   * diagonal.
   *
   * @param rows the number of rows, each counted as often as it was solved
   * @param largestShare the most that was added to a diagonal, as a share of its mean
   */
  public record RowsStabilised(int rows, double largestShare) implements RunEvent {
    @Override
    public String summary() {
      return String.format(
          Locale.ROOT,
          "%d rows had equations that were not positive definite, and got up to %.0e of their"
              + " diagonal added; a larger lambda avoids that",
          rows,
          largestShare);
    }
  }
}
