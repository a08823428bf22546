package org.pecf.backend.algebra;

import java.util.Locale;
import org.pecf.api.run.RunEvent;

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
