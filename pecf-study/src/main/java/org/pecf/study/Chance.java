package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.SparseCells;
import org.pecf.data.split.MeasuredPart;
import org.pecf.engine.evaluate.CandidatePolicy;

/**
 * The recall of lists drawn by chance, averaged over users. Of n candidates, h of them held out, a
 * list of M holds a hypergeometric number of hits, so a user's recall has the mean {@code M / n}
 * and the variance {@code M (n - h) (n - M) / (h n^2 (n - 1))}; users are independent of each
 * other.
 *
 * @param mean the mean
 * @param deviation the standard deviation
 */
record Chance(double mean, @JsonIgnore double deviation) {
  /** The quantile of the normal distribution for 95 %. */
  private static final double QUANTILE = 1.96;

  /** Rank the candidates of a policy by chance. */
  static Chance of(MeasuredPart part, CandidatePolicy policy, int cutoff) {
    return of(part.positives(), user -> candidates(part, policy, user), cutoff);
  }

  /**
   * Rank by chance.
   *
   * @param heldOut the held-out cells; users without any do not count
   * @param candidates how many items are ranked for a user, those looked for among them
   */
  static Chance of(SparseCells heldOut, IntUnaryOperator candidates, int cutoff) {
    double means = 0;
    double variances = 0;
    int users = 0;
    for (int user = 0; user < heldOut.users(); user++) {
      double sought = heldOut.userCount(user);
      if (sought > 0) {
        double ranked = candidates.applyAsInt(user);
        double listed = Math.min(cutoff, ranked);
        means += listed / ranked;
        variances +=
            ranked == listed
                ? 0
                : listed
                    * (ranked - sought)
                    * (ranked - listed)
                    / (sought * ranked * ranked * (ranked - 1));
        users++;
      }
    }
    return new Chance(means / users, Math.sqrt(variances) / users);
  }

  /** Average over independent data. */
  static Chance average(List<Chance> all) {
    double mean = all.stream().mapToDouble(Chance::mean).average().orElseThrow();
    double variances = all.stream().mapToDouble(one -> one.deviation * one.deviation).sum();
    return new Chance(mean, Math.sqrt(variances) / all.size());
  }

  /** Return half the width of the interval that holds 95 % of the recalls by chance. */
  @JsonProperty("halfWidth95")
  double halfWidth() {
    return QUANTILE * deviation;
  }

  /** Return how many standard deviations a recall is above chance. */
  double excess(double recall) {
    return (recall - mean) / deviation;
  }

  /** Rank by chance the cells that training has not seen, of a split that divides zeros. */
  static Chance amongUntrained(MeasuredPart part, int cutoff) {
    CellPartition partition = part.partition().orElseThrow();
    int items = part.positives().items();
    return of(
        part.positives(),
        user -> items - cells(partition.mask(Part.TRAINING), items, user),
        cutoff);
  }

  private static int candidates(MeasuredPart part, CandidatePolicy policy, int user) {
    return policy
        .cells(part)
        .map(cells -> cells(cells, part.positives().items(), user))
        .orElseGet(
            () ->
                part.positives().items()
                    - policy.excluded(part).stream()
                        .mapToInt(known -> known.userCount(user))
                        .sum());
  }

  private static int cells(PartMask mask, int items, int user) {
    int count = 0;
    for (int item = 0; item < items; item++) {
      count += mask.contains(user, item) ? 1 : 0;
    }
    return count;
  }
}
