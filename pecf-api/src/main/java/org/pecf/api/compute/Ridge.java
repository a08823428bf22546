package org.pecf.api.compute;

import org.apiguardian.api.API;

/**
 * The penalty of each row of factors: {@code lambda_i = lambda s_i^p / mean(s^p)}, where s_i is the
 * sum of the weights in row i. With p = 0 all rows share one penalty; with p = 1 a row's penalty
 * grows with its weight; the mean penalty over the rows is lambda either way.
 *
 * @param users lambda of the users, above 0
 * @param items lambda of the items, above 0
 * @param exponent p, from 0 to 1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Ridge(double users, double items, double exponent) {
  public Ridge {
    if (!(users > 0 && items > 0 && exponent >= 0 && exponent <= 1)) {
      throw new IllegalArgumentException(
          String.format(
              "penalties must be above 0 and the exponent from 0 to 1, not %s, %s, %s",
              users, items, exponent));
    }
  }
}
