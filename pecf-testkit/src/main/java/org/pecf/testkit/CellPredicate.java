package org.pecf.testkit;

import org.apiguardian.api.API;

/**
 * Choose cells by their position.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface CellPredicate {
  /** Return whether the cell is chosen. */
  boolean test(int user, int item);
}
