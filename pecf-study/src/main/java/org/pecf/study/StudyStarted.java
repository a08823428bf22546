package org.pecf.study;

import org.pecf.api.run.RunEvent;

/**
 * The beginning of a study, or of its continuation.
 *
 * @param all how many trainings it has
 */
public record StudyStarted(int all) implements RunEvent {
  @Override
  public String summary() {
    return all == 1 ? "1 training" : all + " trainings";
  }
}
