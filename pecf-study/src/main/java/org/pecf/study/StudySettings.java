package org.pecf.study;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;
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
                    + " methods (pecf, wmf, l2boost, ...); or protocols: what ways to evaluate give"
                    + " on noise; or reweighting: what re-weighting does on the data",
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

  /** The name that asks for the study of re-weighting. */
  private static final String REWEIGHTING = "reweighting";

  private static final int USUAL_SEEDS = 3;

  public StudySettings {
    against = List.copyOf(against);
    for (String alone : List.of(ProtocolStudy.NAME, REWEIGHTING)) {
      if (names(only).contains(alone) && (names(only).size() > 1 || !tuned.files().isEmpty())) {
        throw PecfException.badOption(
            "The study of %s stands by itself. Leave tuned methods out, and name other tables,"
                + " figures and methods in another run.",
            alone);
      }
    }
  }

  private static List<String> names(Optional<List<String>> only) {
    return only.orElse(List.of());
  }

  /** Return whether protocols are compared, not methods. */
  public boolean protocols() {
    return names(only).contains(ProtocolStudy.NAME);
  }

  /** Return whether re-weighting is looked at, not methods. */
  public boolean reweighting() {
    return names(only).contains(REWEIGHTING);
  }

  /** Return the number of seeds. */
  public int seedCount() {
    return seeds.orElse(quick ? 1 : USUAL_SEEDS);
  }

  /** Return how much of the paper's study is done. */
  public StudyScope scope() {
    return StudyScope.of(names(only), seedCount(), quick).withAgainst(against);
  }
}
