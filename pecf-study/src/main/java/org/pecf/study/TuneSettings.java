package org.pecf.study;

import java.util.List;
import org.pecf.api.PecfException;

/**
 * The way in which settings are searched.
 *
 * @param space which options
 * @param trials how many settings are drawn
 * @param strategy how work is given to them
 * @param budget what successive halving saves on
 * @param reduction successive halving keeps one of this many settings
 * @param seed decides which settings are drawn
 */
public record TuneSettings(
    SearchSpace space, int trials, Strategy strategy, Budget budget, int reduction, long seed) {
  /** The strategies of a search. */
  public enum Strategy {
    /** Every setting gets all the work. */
    RANDOM,
    /** Every setting gets a little work, the better ones more, the best all of it. */
    HALVING
  }

  public TuneSettings {
    if (trials < 1 || reduction < 2) {
      throw PecfException.badOption(
          "A search needs at least 1 trial and a reduction of at least 2, not %s and %s",
          trials, reduction);
    }
  }

  /** Return the rungs, given the work of a full training. */
  List<Rung> rungs(int fullBudget) {
    return strategy == Strategy.RANDOM
        ? Rung.all(trials)
        : Rung.halving(trials, fullBudget, reduction);
  }
}
