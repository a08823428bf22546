package org.pecf.api.compute;

import org.apiguardian.api.API;

/**
 * The penalties of a pairwise step: {@code users / 2 |u_i|^2 + positives / 2 |v_j|^2 + negatives /
 * 2 |v_k|^2} is added to the loss of each sample (i, j, k).
 *
 * @param users lambda of the user, at least 0
 * @param positives lambda of the positive item, at least 0
 * @param negatives lambda of the negative item, at least 0
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PairwisePenalties(double users, double positives, double negatives) {
  public PairwisePenalties {
    if (!(users >= 0 && positives >= 0 && negatives >= 0)) {
      throw new IllegalArgumentException(
          "penalties must be at least 0, not " + users + ", " + positives + ", " + negatives);
    }
  }
}
