package org.pecf.study;

import org.pecf.api.run.RunEvent;

/** The end of one of the trainings of a study. */
public interface StudyStep extends RunEvent {
  /** Return how many are done. */
  int done();

  /** Return how many there are. */
  int all();

  /** Return whether it was done before and only found again. */
  boolean found();
}
