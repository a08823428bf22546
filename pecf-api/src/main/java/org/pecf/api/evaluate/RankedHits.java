package org.pecf.api.evaluate;

import org.apiguardian.api.API;

/**
 * The hits in the ranked list of one user: the items among the first M that were held out as the
 * user's positives.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface RankedHits {
  /** Return M, the length of the list, at least 1. */
  int cutoff();

  /** Return P, how many positives of the user were held out, at least 1. */
  int positives();

  /** Return how many hits there are. */
  int count();

  /**
   * Return the place of a hit, from 1 to M; places ascend.
   *
   * @param hit the number of the hit, from 0
   */
  int place(int hit);
}
