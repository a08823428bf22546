package org.pecf.study;

import java.util.Locale;

/**
 * The end of a trial of a search, or its earlier end found again.
 *
 * @param trial its outcome
 * @param done how many trainings of the search are done
 * @param all how many there are
 * @param found whether it was done before
 * @param metric the name of the score
 * @param unit the unit of the budget
 */
public record TrialFinished(
    Trial trial, int done, int all, boolean found, String metric, String unit)
    implements StudyStep {
  @Override
  public String summary() {
    StringBuilder line = new StringBuilder();
    line.append("training " + done + "/" + all + ": setting " + trial.number() + ", ");
    line.append(trial.budget() == 0 ? "" : trial.budget() + " " + unit + ", ");
    line.append(
        trial
            .failure()
            .map(why -> "failed: " + why)
            .orElseGet(
                () -> String.format(Locale.ROOT, "%s %.4f", metric, trial.score().orElseThrow())));
    trial.setting().forEach((key, value) -> line.append(", " + key + " " + value));
    return line.append(found ? " (done before)" : "").toString();
  }
}
