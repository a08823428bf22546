package org.pecf.study;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.pecf.study.page.Page.Block.Steps;

/**
 * The progress of a study, for its page.
 *
 * @param done how many trainings are done
 * @param all how many there are
 * @param stage whether it goes on
 * @param seconds how long the finished trainings took
 */
public record StudyState(int done, int all, Stage stage, double seconds) {
  /** The stages of a study. */
  public enum Stage {
    /** More trainings follow. */
    RUNNING,
    /** It was ended before its last training; the same command goes on. */
    STOPPED,
    /** All trainings are done. */
    COMPLETE
  }

  /** Return whether the page will be written again by the same process. */
  public boolean running() {
    return stage == Stage.RUNNING;
  }

  /** Return the state in words and as a bar. */
  public Steps steps() {
    String counted = done + " of " + all + (all == 1 ? " training is done" : " trainings are done");
    String words =
        switch (stage) {
          case RUNNING ->
              counted + left() + "; written at " + Instant.now().truncatedTo(ChronoUnit.SECONDS);
          case STOPPED -> counted + ". It was stopped; the same command goes on.";
          case COMPLETE -> counted + ".";
        };
    return new Steps(words, done, all);
  }

  private String left() {
    if (done == 0 || done == all) {
      return "";
    }
    Duration left = Duration.ofSeconds(Math.round(seconds / done * (all - done)));
    return left.toMinutes() > 0
        ? ", about " + left.toMinutes() + " min left"
        : ", about " + left.toSeconds() + " s left";
  }
}
