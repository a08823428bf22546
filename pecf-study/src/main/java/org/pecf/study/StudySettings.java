package org.pecf.study;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;

/**
 * The options about how much of a study is done.
 *
 * @param quick whether it is tried in short
 * @param seeds how many seeds, from the base's on
 * @param only the names of the tables, figures and methods to restrict it to
 * @param against the methods from which the differences of all others are tested
 * @param tuned the methods that have a setting of their own
 */
public record StudySettings(
    @Option(
            value = "Try the study in short: small filters, few rounds, few settings, one seed",
            defaultValue = "false")
        boolean quick,
    @Option(
            value = "Repeat everything with this many seeds, from the seed of the run on",
            defaultValue = "",
            unset = "3; 1 if quick",
            min = 1)
        Optional<Integer> seeds,
    @Option(
            value =
                "Only these tables and figures (recall, d, nu-sigma, rounds, alpha, em, rho) and"
                    + " methods (pecf, wmf, l2boost, ...)",
            label = "NAME,...",
            defaultValue = "")
        Optional<List<String>> only,
    @Option(
            value = "Test how all methods differ from each of these, user by user",
            label = "METHOD,...",
            defaultValue = "pecf")
        List<Method> against,
    @Option(
            value =
                "Train a method with the setting of this file, such as tune's best.yaml, instead of"
                    + " the common one; repeatable",
            label = "METHOD=FILE",
            defaultValue = "")
        TunedMethods tuned) {
  /** The options and their ranges. */
  public static final OptionSchema<StudySettings> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), StudySettings.class);

  private static final int USUAL_SEEDS = 3;

  public StudySettings {
    against = List.copyOf(against);
  }

  /** Return the number of seeds. */
  public int seedCount() {
    return seeds.orElse(quick ? 1 : USUAL_SEEDS);
  }

  /** Return how much of the paper's study is done. */
  public StudyScope scope() {
    return StudyScope.of(only.orElse(List.of()), seedCount(), quick).withAgainst(against);
  }
}
