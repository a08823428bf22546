package org.pecf.api.memory;

import org.apiguardian.api.API;

/**
 * The rules by which a factor model takes in new rows of either side.
 *
 * @param users the rule for a new user
 * @param items the rule for a new item
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RowRules(RowRule users, RowRule items) {
  /** The rules of a model whose filter states none. */
  public static final RowRules BEST_FIT =
      new RowRules(new RowRule.BestFit(), new RowRule.BestFit());

  /** Return the rule of a side. */
  public RowRule of(Side side) {
    return side == Side.USERS ? users : items;
  }
}
