package org.pecf.cli.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.TrainingStep;
import org.pecf.cli.console.Display;
import org.pecf.cli.console.Progress;
import org.pecf.cli.console.Remedies;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.construct.ConstructionEvent.MemberStarted;
import org.pecf.engine.data.DatasetLoaded;
import org.pecf.engine.effort.RaceEvent;
import org.pecf.engine.effort.RaceEvent.CandidateMeasured;
import org.pecf.engine.effort.RaceEvent.MemberJudged;
import org.pecf.engine.effort.RaceEvent.RaceStarted;
import org.pecf.engine.effort.SettingsChosen;
import org.pecf.engine.resource.Workspace.BackendOpened;
import org.pecf.engine.run.Comparison;
import org.pecf.engine.run.TrainingRunEvent.Evaluated;
import org.pecf.engine.run.TrainingRunEvent.MemoryUse;
import org.pecf.engine.run.TrainingRunEvent.SplitMade;

/** A listener that turns the events of a run into lines and progress on a display. */
public final class RunDisplay implements RunListener {
  private final Display display;
  private final boolean verbose;
  private final LongSupplier nanoTime;
  private Progress progress = Progress.activity("loading");
  private @Nullable ComputationPath announced;
  private boolean searching;
  private long stepBegan;
  private int positives;

  /**
   * Create a listener.
   *
   * @param display where to
   * @param verbose whether every step is a line
   * @param nanoTime the clock
   */
  public RunDisplay(Display display, boolean verbose, LongSupplier nanoTime) {
    this.display = display;
    this.verbose = verbose;
    this.nanoTime = nanoTime;
    display.show(progress);
  }

  @Override
  public void on(RunEvent event) {
    if (event instanceof SplitMade made) {
      positives = made.training();
    }
    if (event instanceof RaceStarted || event instanceof SettingsChosen) {
      searching = event instanceof RaceStarted;
      progress = progress.then(searching ? "choosing settings" : "preparing");
    } else if (searching) {
      if (event instanceof CandidateMeasured measured) {
        progress =
            progress.then(
                "choosing settings, " + Math.round(100 * measured.spent()) + " % of the work");
      }
    } else if (event instanceof TrainingStep step) {
      progress =
          progress
              .finishStep(step.filter(), step.step(), step.steps(), first(step.measures()))
              .withRate(rate());
    } else if (event instanceof MemberStarted started) {
      progress = progress.startMember(started.member(), started.members(), started.filter());
      stepBegan = nanoTime.getAsLong();
    } else if (event instanceof MemberFinished finished) {
      progress =
          finished.member() == finished.members()
              ? progress.then("evaluating")
              : progress.withFigures(first(finished.validation()));
    } else if (event instanceof DatasetLoaded) {
      progress = progress.then("splitting");
    } else if (event instanceof SplitMade || event instanceof BackendOpened) {
      progress = progress.then("preparing");
    }
    display.show(progress);
    if (stays(event)) {
      display.line(Remedies.onCommandLine(event.summary()));
    }
  }

  /** Return the training positives per second of the step that ends now. */
  private double rate() {
    long now = nanoTime.getAsLong();
    double seconds = (now - stepBegan) / 1e9;
    stepBegan = now;
    return seconds > 0 ? positives / seconds : 0;
  }

  /** Return whether an event gets a line of its own. */
  private boolean stays(RunEvent event) {
    if (searching && !(event instanceof RaceStarted || event instanceof SplitMade)) {
      return event instanceof MemberJudged judged && judged.joins()
          || event instanceof CandidateMeasured measured && measured.leads()
          || verbose && event instanceof RaceEvent;
    }
    if (event instanceof LeastSquaresPlan plan) {
      boolean news = plan.path() != announced;
      announced = plan.path();
      return news || verbose;
    }
    if (event instanceof TrainingStep
        || event instanceof MemberStarted
        || event instanceof Comparison
        || event instanceof MemoryUse) {
      return verbose;
    }
    // The figures come in a table at the end.
    return !(event instanceof Evaluated) || verbose;
  }

  private static Map<String, Double> first(Map<String, Double> measures) {
    Map<String, Double> first = new LinkedHashMap<>();
    measures.entrySet().stream().limit(1).forEach(e -> first.put(e.getKey(), e.getValue()));
    return first;
  }
}
