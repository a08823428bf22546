package org.pecf.study;

import java.util.ArrayList;
import java.util.List;

/**
 * One level of a search: the number of settings to try and the work for each.
 *
 * @param trials how many settings
 * @param budget how much work: rounds or sweeps; 0 for as much as a setting says
 */
public record SearchLevel(int trials, int budget) {
  /** Plan a search that gives every setting all the work. */
  public static List<SearchLevel> all(int trials) {
    return List.of(new SearchLevel(trials, 0));
  }

  /**
   * Plan successive halving: each level keeps the best of the one before, {@code 1 / reduction} of
   * its settings, and gives them {@code reduction} times the work; the last has all of it. There
   * are as many levels as leave every level a setting and a unit of work.
   *
   * @param trials how many settings there are at first
   * @param budget the work of a full training, at least 1
   * @param reduction at least 2
   */
  public static List<SearchLevel> halving(int trials, int budget, int reduction) {
    int last = 0;
    for (long power = reduction; power <= trials && power <= budget; power *= reduction) {
      last++;
    }
    List<SearchLevel> levels = new ArrayList<>();
    for (int level = 0; level <= last; level++) {
      double share = Math.pow(reduction, last - level);
      levels.add(
          new SearchLevel(
              (int) (trials / Math.pow(reduction, level)), (int) Math.round(budget / share)));
    }
    return levels;
  }
}
