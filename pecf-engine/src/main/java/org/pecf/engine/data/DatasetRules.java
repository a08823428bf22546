package org.pecf.engine.data;

import java.util.Objects;
import org.pecf.api.PecfException;

/**
 * The rules by which ratings become positives of a dataset.
 *
 * <p>In this order: of several ratings of one cell, one counts; those that count and satisfy the
 * rule are positives; then users and items with too few positives are left out, repeatedly, until
 * none has too few.
 *
 * @param positive the rule for positives
 * @param duplicates the policy for several ratings of one cell
 * @param minUser the fewest positives of a user
 * @param minItem the fewest positives of an item
 */
record DatasetRules(PositiveRule positive, DuplicatePolicy duplicates, int minUser, int minItem) {
  public DatasetRules {
    Objects.requireNonNull(positive);
    Objects.requireNonNull(duplicates);
    if (minUser < 0 || minItem < 0) {
      throw PecfException.badOption(
          "The required numbers of positives, %d per user and %d per item, must not be negative."
              + " Write 0 to keep all.",
          minUser, minItem);
    }
  }

  /** Return the rules by which every rating is a positive; the last one of a cell counts. */
  public static DatasetRules all() {
    return new DatasetRules(PositiveRule.all(), DuplicatePolicy.LAST, 0, 0);
  }

  /** Return the rules of a request. */
  public static DatasetRules of(DataRequest request) {
    return new DatasetRules(
        request.positive(), request.duplicates(), request.minUser(), request.minItem());
  }
}
