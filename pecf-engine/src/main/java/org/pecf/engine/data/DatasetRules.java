package org.pecf.engine.data;

import java.util.Objects;
import org.pecf.api.PecfException;

/**
 * Say which ratings become positives of a dataset.
 *
 * <p>In this order: of several ratings of one cell, one counts; those that count and satisfy the
 * rule are positives; then users and items with too few positives are left out, again and again
 * until none has too few.
 *
 * @param positive which ratings are positives
 * @param duplicates which of several ratings of one cell counts
 * @param minUser users with fewer positives are left out
 * @param minItem items with fewer positives are left out
 */
public record DatasetRules(
    PositiveRule positive, DuplicatePolicy duplicates, int minUser, int minItem) {
  public DatasetRules {
    Objects.requireNonNull(positive);
    Objects.requireNonNull(duplicates);
    if (minUser < 0 || minItem < 0) {
      throw PecfException.badOption(
          "The least numbers of positives of users and items must not be negative, as %s and %s"
              + " are. Write 0 to keep all.",
          minUser, minItem);
    }
  }

  /** Keep every rating as a positive; the last of several of one cell counts. */
  public static DatasetRules all() {
    return new DatasetRules(PositiveRule.all(), DuplicatePolicy.LAST, 0, 0);
  }

  /** Take the rules from a request. */
  public static DatasetRules of(DataRequest request) {
    return new DatasetRules(
        request.positive(), request.duplicates(), request.minUser(), request.minItem());
  }
}
