package org.pecf.cli.run;

import java.time.Duration;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Display;
import org.pecf.cli.console.Progress;
import org.pecf.engine.construct.ConstructionEvent.MemberStarted;
import org.pecf.engine.data.DatasetLoaded;
import org.pecf.study.StudyEvent.StudyStarted;
import org.pecf.study.StudyEvent.StudyStep;

/**
 * The display of a study's progress: one line per finished training, and an estimate of the time
 * left.
 */
public final class StudyDisplay implements RunListener {
  private final Display display;
  private final boolean verbose;
  private final long began = System.nanoTime();
  private int done;
  private int doneNow;
  private int all;
  private String member = "";

  /**
   * Create a listener.
   *
   * @param display where to
   * @param verbose whether all that happens in trainings is printed
   */
  public StudyDisplay(Display display, boolean verbose) {
    this.display = display;
    this.verbose = verbose;
    display.show(Progress.activity("loading"));
  }

  @Override
  public void on(RunEvent event) {
    if (event instanceof StudyStarted started) {
      all = started.all();
    } else if (event instanceof StudyStep step) {
      done = step.done();
      all = step.all();
      doneNow += step.found() ? 0 : 1;
      member = "";
    } else if (event instanceof MemberStarted started) {
      member = ", member " + started.member() + "/" + started.members();
    }
    display.show(Progress.activity(activity()));
    if (event instanceof StudyStep || event instanceof DatasetLoaded || verbose) {
      display.line(event.summary());
    }
  }

  private String activity() {
    String step = all == 0 ? "first training" : "training " + Math.min(done + 1, all) + "/" + all;
    return step + member + left();
  }

  private String left() {
    if (doneNow == 0 || done >= all) {
      return "";
    }
    double nanos = (double) (System.nanoTime() - began) / doneNow * (all - done);
    Duration left = Duration.ofNanos((long) nanos);
    return ", about " + Progress.clock(left) + " left";
  }
}
