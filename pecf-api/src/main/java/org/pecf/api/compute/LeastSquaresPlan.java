package org.pecf.api.compute;

import java.util.Locale;
import org.apiguardian.api.API;
import org.pecf.api.run.RunEvent;

/**
 * The way in which a least-squares problem is computed, and the reason for it.
 *
 * @param path dense or corrected
 * @param reason why, for people
 * @param exceptions how many cells are corrected; all cells on the dense path
 * @param cells how many cells there are
 * @param scoreBound on the corrected path, cells scored beyond it are exceptions; infinite if
 *     weights do not depend on scores
 * @param weightError the bound on the relative error of a background cell's weight; 0 if exact
 * @param ignoredWeight the bound on the sum of these errors, as a share of the weight of all cells;
 *     0 if exact
 * @param workingBytes the memory kept while the problem is open
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LeastSquaresPlan(
    ComputationPath path,
    String reason,
    long exceptions,
    long cells,
    double scoreBound,
    double weightError,
    double ignoredWeight,
    long workingBytes)
    implements RunEvent {
  /**
   * Return the plan of the dense path, which is exact.
   *
   * @param reason why, for people
   * @param cells how many cells there are
   * @param workingBytes the memory kept while the problem is open
   */
  public static LeastSquaresPlan dense(String reason, long cells, long workingBytes) {
    return new LeastSquaresPlan(ComputationPath.DENSE, reason, cells, cells, 0, 0, 0, workingBytes);
  }

  @Override
  public String summary() {
    if (path == ComputationPath.DENSE) {
      return "dense path, exact (" + reason + ")";
    }
    String beyond =
        scoreBound == Double.POSITIVE_INFINITY
            ? ""
            : String.format(
                Locale.ROOT,
                " (|score| > %.3f), weight error at most %.3f, %.2g of all weight",
                scoreBound,
                weightError,
                ignoredWeight);
    return String.format(
        Locale.ROOT,
        "corrected path, %.2f %% of cells are exceptions%s (%s)",
        100.0 * exceptions / cells,
        beyond,
        reason);
  }
}
