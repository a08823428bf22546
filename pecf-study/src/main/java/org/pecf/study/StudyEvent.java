package org.pecf.study;

import java.util.Locale;
import org.pecf.api.run.RunEvent;

/** The events of studies: many trainings on the same data. */
public sealed interface StudyEvent extends RunEvent {
  /**
   * The beginning of a study, or of its continuation.
   *
   * @param all how many trainings it has
   */
  record StudyStarted(int all) implements StudyEvent {
    @Override
    public String summary() {
      return all == 1 ? "1 training" : all + " trainings";
    }
  }

  /** The end of one of the trainings of a study. */
  sealed interface StudyStep extends StudyEvent {
    /** Return how many are done. */
    int done();

    /** Return how many there are. */
    int all();

    /** Return whether it was done in an earlier run. */
    boolean found();
  }

  /**
   * The end of a training of a study, now or in an earlier run.
   *
   * @param key which
   * @param outcome the outcome, for people
   * @param done how many are done
   * @param all how many there are
   * @param found whether it was done before
   */
  record JobFinished(String key, String outcome, int done, int all, boolean found)
      implements StudyStep {
    @Override
    public String summary() {
      return String.format(
          "job %s/%s: %s: %s%s", done, all, key, outcome, found ? " (done before)" : "");
    }
  }

  /**
   * The end of a trial of a search, now or in an earlier run.
   *
   * @param trial its outcome
   * @param done how many trainings of the search are done
   * @param all how many there are
   * @param found whether it was done before
   * @param metric the name of the score
   * @param unit the unit of the budget
   */
  record TrialFinished(Trial trial, int done, int all, boolean found, String metric, String unit)
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
                  () ->
                      String.format(Locale.ROOT, "%s %.4f", metric, trial.score().orElseThrow())));
      trial.setting().forEach((key, value) -> line.append(", " + key + " " + value));
      return line.append(found ? " (done before)" : "").toString();
    }
  }
}
