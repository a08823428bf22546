package org.pecf.api.evaluate;

import org.apiguardian.api.API;

/**
 * A measure of ranked lists: a number for each user, of which reports show the average. The higher,
 * the better.
 */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Metric {
  /**
   * Return the value for a user: a finite number that depends on nothing else.
   *
   * @param hits the places of the user's hits, valid until this method returns
   */
  double value(RankedHits hits);
}
