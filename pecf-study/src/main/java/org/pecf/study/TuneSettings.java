package org.pecf.study;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.engine.request.TrainingRequest;

/**
 * The options of a search for settings.
 *
 * @param space which options
 * @param trials how many settings are drawn
 * @param strategy how work is given to them
 * @param budget the work that successive halving saves on
 * @param reduction successive halving keeps one of this many settings
 * @param seed decides which settings are drawn
 * @param trialSeconds the processor seconds beyond which a training is given up
 */
public record TuneSettings(
    @Option(
            value =
                "An option of the ensemble or of a plugin (wmf.deviation) to search, repeatable;"
                    + " ranges are a..b, log:a..b, int:a..b and '{x,y,z}'",
            key = "search",
            label = "OPTION=RANGE",
            defaultValue = "")
        SearchSpace space,
    @Option(value = "The number of settings to draw", defaultValue = "20", min = 1) int trials,
    @Option(
            value = "How settings are trained, each in full or the better ones ever longer",
            defaultValue = "random")
        Strategy strategy,
    @Option(
            value = "The work that halving saves on",
            defaultValue = "",
            unset = "rounds, if there are any")
        Optional<Budget> budget,
    @Option(
            value = "Halving keeps one in this many settings each time",
            defaultValue = "",
            unset = "3",
            min = 2)
        Optional<Integer> reduction,
    @Option(
            value = "The seed that decides which settings are drawn",
            key = "tune-seed",
            defaultValue = "1")
        long seed,
    @Option(
            value =
                "Give up a training that takes more processor seconds than this, all threads"
                    + " together; it counts as failed",
            key = "trial-seconds",
            defaultValue = "",
            unset = "no limit",
            min = 0)
        Optional<Double> trialSeconds) {
  /** The options and their ranges. */
  public static final OptionSchema<TuneSettings> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), TuneSettings.class);

  private static final int USUAL_REDUCTION = 3;

  /** The strategies of a search. */
  public enum Strategy {
    /** Every setting gets all the work. */
    RANDOM,
    /** Every setting gets a little work, the better ones more, the best all of it. */
    HALVING
  }

  /**
   * One level of a search: the number of settings to try and the work for each.
   *
   * @param trials how many settings
   * @param budget how much work: rounds or sweeps; 0 for as much as a setting says
   */
  record Level(int trials, int budget) {
    /** Plan a search that gives every setting all the work. */
    static List<Level> all(int trials) {
      return List.of(new Level(trials, 0));
    }

    /**
     * Plan successive halving: each level keeps the best of the one before, {@code 1 / reduction}
     * of its settings, and gives them {@code reduction} times the work; the last has all of it.
     * There are as many levels as possible such that each has a setting and a unit of work.
     *
     * @param trials how many settings there are at first
     * @param budget the work of a full training, at least 1
     * @param reduction at least 2
     */
    static List<Level> halving(int trials, int budget, int reduction) {
      int last = 0;
      for (long power = reduction; power <= trials && power <= budget; power *= reduction) {
        last++;
      }
      List<Level> levels = new ArrayList<>();
      for (int level = 0; level <= last; level++) {
        double share = Math.pow(reduction, last - level);
        levels.add(
            new Level(
                (int) (trials / Math.pow(reduction, level)), (int) Math.round(budget / share)));
      }
      return levels;
    }
  }

  public TuneSettings {
    if (strategy == Strategy.RANDOM && (budget.isPresent() || reduction.isPresent())) {
      throw PecfException.badOption(
          "Option '%s' has no effect without the strategy halving. Leave it out.",
          budget.isPresent() ? "budget" : "reduction");
    }
  }

  /** Return the budget that halving saves on, given the request that all trainings share. */
  public Budget budget(TrainingRequest base) {
    return budget.orElseGet(() -> Budget.suiting(base));
  }

  /** Return the levels, given the work of a full training. */
  List<Level> levels(int fullBudget) {
    return strategy == Strategy.RANDOM
        ? Level.all(trials)
        : Level.halving(trials, fullBudget, reduction.orElse(USUAL_REDUCTION));
  }
}
