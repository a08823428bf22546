package org.pecf.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.TrainingStep;
import org.pecf.cli.console.Display;
import org.pecf.cli.console.Progress;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.construct.ConstructionEvent.MemberStarted;
import org.pecf.engine.run.TrainingRunEvent.SplitMade;

class RunDisplayTest {
  /** An event that the command line has never heard of. */
  private record Strange() implements RunEvent {
    @Override
    public String summary() {
      return "something strange";
    }
  }

  private static final class Recorder extends Display {
    private final List<String> lines = new ArrayList<>();
    private Progress last;

    Recorder() {
      super(new PrintStream(OutputStream.nullOutputStream()), () -> 0);
    }

    @Override
    public void line(String text) {
      lines.add(text);
    }

    @Override
    protected void changed(Progress earlier, Progress next) {
      last = next;
    }
  }

  private final Recorder recorder = new Recorder();
  private final AtomicLong clock = new AtomicLong();

  private static LeastSquaresPlan plan(ComputationPath path) {
    return new LeastSquaresPlan(path, "cheaper", 1, 10, 0.1, 0.01, 0.005, 0);
  }

  @Test
  void stepsMoveTheProgressAndMembersLeaveLines() {
    RunDisplay display = new RunDisplay(recorder, false, clock::get);
    MemberFinished finished =
        new MemberFinished(
            1, 2, "wmf", 1, Optional.empty(), List.of(), Map.of("recall@50", 0.4), 2);
    display.on(new MemberStarted(1, 2, "wmf"));
    display.on(new TrainingStep("wmf", 3, 8, Map.of("objective", 5.0)));
    assertEquals(new Progress("", 1, 2, "wmf", 3, 8, Map.of("objective", 5.0), 0), recorder.last);
    display.on(finished);
    assertEquals(List.of(finished.summary()), recorder.lines);
    assertEquals(0.4, recorder.last.figures().get("recall@50"));
  }

  @Test
  void rateIsThatOfTheLastStep() {
    RunDisplay display = new RunDisplay(recorder, false, clock::get);
    display.on(new SplitMade("positives", 6000, 0, 0));
    display.on(new MemberStarted(1, 2, "wmf"));
    clock.set(2_000_000_000L);
    display.on(new TrainingStep("wmf", 1, 8, Map.of()));
    assertEquals(3000, recorder.last.rate());
    clock.set(2_500_000_000L);
    display.on(new TrainingStep("wmf", 2, 8, Map.of()));
    assertEquals(12_000, recorder.last.rate());
  }

  @Test
  void pathIsAnnouncedWhenItChanges() {
    RunDisplay display = new RunDisplay(recorder, false, clock::get);
    display.on(plan(ComputationPath.CORRECTED));
    display.on(plan(ComputationPath.CORRECTED));
    display.on(plan(ComputationPath.DENSE));
    assertEquals(2, recorder.lines.size());
  }

  @Test
  void strangeEventsShowTheirSummary() {
    new RunDisplay(recorder, false, clock::get).on(new Strange());
    assertEquals(List.of("something strange"), recorder.lines);
  }

  @Test
  void verboseShowsEverything() {
    RunDisplay display = new RunDisplay(recorder, true, clock::get);
    display.on(new MemberStarted(1, 2, "wmf"));
    display.on(new TrainingStep("wmf", 1, 8, Map.of()));
    display.on(plan(ComputationPath.DENSE));
    display.on(plan(ComputationPath.DENSE));
    assertEquals(4, recorder.lines.size());
  }
}
