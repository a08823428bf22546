package org.pecf.engine.recommend;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.pecf.api.memory.SparseCells;

/** A way to find the items with the highest scores. Safe for use by many threads at once. */
interface Ranker extends AutoCloseable {
  /**
   * The ranked items of one user.
   *
   * @param user the index of the user
   * @param items the indexes of the items, best first; equal scores in the order of indexes
   * @param scores the score of each item
   */
  record Ranked(int user, int[] items, float[] scores) {}

  /**
   * Rank items for users.
   *
   * @param users indexes of users, ascending, none twice. Not modified.
   * @param depth the largest number of items per user, at most the number of items
   * @param excluded sets of cells whose items are not ranked for their users
   * @param candidates the only items that are ranked for anybody; if empty, all. Not modified.
   * @return one list per user, in the order of the users
   */
  List<Ranked> rank(
      int[] users, int depth, List<SparseCells> excluded, Optional<BitSet> candidates);

  @Override
  void close();
}
