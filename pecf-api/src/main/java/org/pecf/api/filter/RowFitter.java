package org.pecf.api.filter;

import org.apiguardian.api.API;

/**
 * A filter's own way of fitting rows that its models were not trained on, found by the id of the
 * filter when a stored model with {@link org.pecf.api.memory.RowRule.OfFilter} meets such a row.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface RowFitter {
  /**
   * Fit a row: the same factors for the same row. Called by several threads at once.
   *
   * @return as many factors as the rows of the other side have, all finite; they pass to the caller
   */
  float[] fit(NewRow row);
}
