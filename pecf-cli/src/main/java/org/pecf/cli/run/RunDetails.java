package org.pecf.cli.run;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.construct.ConstructionEvent.MemberStarted;
import org.pecf.engine.data.DatasetLoaded;
import org.pecf.engine.data.FormatRecognised;
import org.pecf.engine.effort.RaceEvent.RaceStarted;
import org.pecf.engine.effort.SettingsChosen;
import org.pecf.engine.resource.Workspace.BackendOpened;
import org.pecf.engine.run.Comparison;
import org.pecf.engine.run.TrainingRunEvent.MemoryUse;
import org.pecf.engine.run.TrainingRunEvent.RefitStarted;
import org.pecf.engine.run.TrainingRunEvent.SplitMade;

/** The details of a run that its report needs beyond its result, taken from its events. */
public final class RunDetails implements RunListener {
  /**
   * How a problem of a member was computed.
   *
   * @param member the member, counted from 1
   * @param plan how
   */
  public record MemberPlan(int member, @JsonUnwrapped LeastSquaresPlan plan) {}

  private final LongSupplier nanoTime;
  private final LongSupplier memory;
  private final long began;
  private long phaseBegan;
  private int member;
  private boolean searching;
  private boolean refitting;
  private @Nullable BackendOpened backend;
  private @Nullable FormatRecognised format;
  private final List<MemberPlan> plans = new ArrayList<>();

  /** The plans of the member in training, or of all components of EM. */
  private final List<MemberPlan> unfinished = new ArrayList<>();

  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private final Map<String, Long> bytes = new LinkedHashMap<>();

  /**
   * Start the clock.
   *
   * @param nanoTime the time
   * @param memory the bytes that the process takes
   */
  public RunDetails(LongSupplier nanoTime, LongSupplier memory) {
    this.nanoTime = nanoTime;
    this.memory = memory;
    this.began = nanoTime.getAsLong();
    this.phaseBegan = began;
  }

  @Override
  public void on(RunEvent event) {
    if (event instanceof RefitStarted) {
      refitting = true;
    } else if (event instanceof RaceStarted) {
      searching = true;
    } else if (event instanceof SettingsChosen) {
      searching = false;
      endPhase("settings");
    } else if (searching) {
      return;
    } else if (event instanceof MemoryUse) {
      endPhase(refitting ? "refit" : "evaluate");
    } else if (refitting) {
      // The record is about the ensemble that was measured.
      return;
    } else if (event instanceof Comparison) {
      endPhase("compare");
    } else if (event instanceof MemberStarted started) {
      member = started.member();
    } else if (event instanceof LeastSquaresPlan plan) {
      unfinished.add(new MemberPlan(member, plan));
    } else if (event instanceof FormatRecognised recognised) {
      format = recognised;
    } else if (event instanceof DatasetLoaded) {
      endPhase("load");
    } else if (event instanceof SplitMade) {
      endPhase("split");
    } else if (event instanceof BackendOpened opened) {
      backend = opened;
      endPhase("prepare");
    } else if (event instanceof MemberFinished finished) {
      // A member that is resumed or taken from a library brings its own plans.
      unfinished.clear();
      finished.plans().forEach(plan -> plans.add(new MemberPlan(finished.member(), plan)));
      endPhase("train");
    }
  }

  /** Add the time since the last phase ended to a phase. */
  public void endPhase(String phase) {
    long now = nanoTime.getAsLong();
    seconds.merge(phase, (now - phaseBegan) / 1e9, Double::sum);
    bytes.merge(phase, memory.getAsLong(), Math::max);
    phaseBegan = now;
  }

  /** Return the seconds of each phase, and of all. */
  public Map<String, Double> seconds() {
    Map<String, Double> all = new LinkedHashMap<>(seconds);
    all.put("total", (nanoTime.getAsLong() - began) / 1e9);
    return Collections.unmodifiableMap(all);
  }

  /** Return the largest memory of the process, in bytes, at the ends of each phase. */
  public Map<String, Long> bytes() {
    return Collections.unmodifiableMap(bytes);
  }

  /** Return the backend of the run, once it was opened. */
  public Optional<BackendOpened> backend() {
    return Optional.ofNullable(backend);
  }

  /** Return the format that was recognised, if none was given. */
  public Optional<String> format() {
    return Optional.ofNullable(format).map(FormatRecognised::format);
  }

  /** Return how the problems of members were computed, in order. */
  public List<MemberPlan> plans() {
    return Stream.concat(plans.stream(), unfinished.stream()).toList();
  }
}
