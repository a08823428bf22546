package org.pecf.engine.construct;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.pecf.api.PecfException;
import org.pecf.api.filter.Checkpoints;
import org.pecf.api.filter.TrainingProgress;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.ConstructionEvent.CheckpointFailed;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.MemberFit;

/**
 * The part of a checkpoint that one loop works with: its state after each member, and the state of
 * the member in training. Without a checkpoint nothing is kept or found.
 *
 * <p>A state that cannot be written is reported and costs nothing else: training goes on, and the
 * state written before it stays.
 */
public final class LoopCheckpoint {
  private static final String TRAINING = "training";

  private final Optional<CheckpointStore> checkpoint;
  private final String section;
  private final int sweeps;
  private final RunListener listener;
  private final Optional<MemberLibrary> library;

  /** The unfinished ensembles of the loops by their sections; shared by all sections. */
  private final Map<String, BuildResult> finished;

  private LoopCheckpoint(
      Optional<CheckpointStore> checkpoint,
      String section,
      int sweeps,
      RunListener listener,
      Optional<MemberLibrary> library,
      Map<String, BuildResult> finished) {
    this.checkpoint = checkpoint;
    this.section = section;
    this.sweeps = sweeps;
    this.listener = listener;
    this.library = library;
    this.finished = finished;
  }

  /**
   * The state of a member in training.
   *
   * @param member which member of which loop
   * @param step the number of steps that are done
   * @param figures the numbers that the next step depends on
   */
  public record MemberState(String member, int step, Map<String, Double> figures) {}

  /** Return the state of a run that keeps none. */
  public static LoopCheckpoint none() {
    return new LoopCheckpoint(
        Optional.empty(),
        "",
        0,
        RunListener.none(),
        Optional.empty(),
        new ConcurrentSkipListMap<>());
  }

  /**
   * Return the state of a run.
   *
   * @param checkpoint where it is kept; borrowed
   * @param sweeps the number of steps of a member after which its state is kept; 0 for never
   * @param listener is notified of states that could not be written
   */
  public static LoopCheckpoint in(CheckpointStore checkpoint, int sweeps, RunListener listener) {
    return new LoopCheckpoint(
        Optional.of(checkpoint),
        "",
        sweeps,
        listener,
        Optional.empty(),
        new ConcurrentSkipListMap<>());
  }

  /** Return the same state beside a library of members. */
  public LoopCheckpoint with(MemberLibrary kept) {
    return new LoopCheckpoint(checkpoint, section, sweeps, listener, Optional.of(kept), finished);
  }

  /** Return the library of members, if there is one. */
  Optional<MemberLibrary> library() {
    return library;
  }

  /** Return the state of a loop within this one. */
  public LoopCheckpoint child(String name) {
    String inner = section.isEmpty() ? name : section + "/" + name;
    return new LoopCheckpoint(checkpoint, inner, sweeps, listener, library, finished);
  }

  /**
   * Tell which members a loop would return if it were cancelled now.
   *
   * @param ensemble the members, which borrow their memory and stay as they are
   */
  void finished(Ensemble ensemble, List<MemberFinished> rounds) {
    finished.put(section, BuildResult.ofFirst(ensemble, rounds, Optional.empty(), false));
  }

  /**
   * Return the ensemble that the run would return if it were cancelled now, if it has finished
   * members. Called from any thread; the members are borrowed, as long as the run is at work.
   */
  public Optional<BuildResult> finished() {
    List<BuildResult> chains = List.copyOf(finished.values());
    if (chains.size() < 2) {
      return chains.stream().findFirst();
    }
    List<MemberFinished> rounds = new ArrayList<>();
    chains.forEach(chain -> rounds.addAll(chain.rounds()));
    Ensemble average = Ensemble.average(chains.stream().map(BuildResult::ensemble).toList());
    return Optional.of(BuildResult.ofFirst(average, rounds, Optional.empty(), false));
  }

  /** Return the state of a loop within this one whose members are not members of this one. */
  public LoopCheckpoint apart(String name) {
    LoopCheckpoint inner = child(name);
    return new LoopCheckpoint(
        checkpoint, inner.section, sweeps, listener, library, new ConcurrentSkipListMap<>());
  }

  /** Return the checkpoint that this is part of, if there is one. */
  public Optional<CheckpointStore> checkpoint() {
    return checkpoint;
  }

  /** Return the record that was saved last, if the run goes on from one. */
  <S extends Record> Optional<S> restore(Class<S> type) {
    return checkpoint.flatMap(kept -> kept.state(section, type));
  }

  /**
   * Take up what was saved. What a checkpoint says may be wrong although its files are intact.
   *
   * @param work takes it up
   * @throws PecfException if the values make no sense
   */
  <T> T resumed(Supplier<T> work) {
    try {
      return work.get();
    } catch (IllegalArgumentException
        | IllegalStateException
        | IndexOutOfBoundsException
        | NullPointerException
        | ClassCastException e) {
      throw PecfException.badModel(
              "The checkpoint at %s is damaged: it does not describe this run (%s). Delete it, and"
                  + " train from the beginning.",
              checkpoint.orElseThrow().folder(), e.getMessage())
          .causedBy(e);
    }
  }

  /** Return a model that was saved with the record; the caller owns it. */
  ScoreModel model(int index) {
    return checkpoint.orElseThrow().model(section, index);
  }

  /** Return how a model that was saved with the record was fitted, if that is known. */
  Optional<MemberFit> fit(int index) {
    return checkpoint.orElseThrow().fit(section, index);
  }

  /**
   * Save a record and the models that it is about; the member in training is one of them by now.
   *
   * @param models the models, which do not change any more. Not modified.
   */
  void save(Record content, List<? extends ScoreModel> models) {
    save(content, models, List.of());
  }

  /**
   * Save a record and the models that it is about; the member in training is one of them by now.
   *
   * @param models the models, which do not change any more. Not modified.
   * @param fits how each of them was fitted, if that is known. Not modified.
   */
  void save(Record content, List<? extends ScoreModel> models, List<Optional<MemberFit>> fits) {
    if (checkpoint.isPresent()) {
      try {
        checkpoint.get().save(section, content, models, fits, List.of(TRAINING));
      } catch (IOException e) {
        listener.on(new CheckpointFailed(checkpoint.get().folder(), reason(e)));
      }
    }
  }

  /** Return the keeper of the state of a member in training. */
  Checkpoints member(String label) {
    if (checkpoint.isEmpty()) {
      return Checkpoints.none();
    }
    CheckpointStore kept = checkpoint.get();
    String member = section + "/" + label;
    return new Checkpoints() {
      @Override
      public Optional<TrainingProgress> restore(FactorModel factors) {
        return resumed(() -> state(factors));
      }

      private Optional<TrainingProgress> state(FactorModel factors) {
        Optional<MemberState> state =
            kept.state(TRAINING, MemberState.class).filter(found -> found.member().equals(member));
        if (state.isEmpty()) {
          return Optional.empty();
        }
        try (FactorModel found = (FactorModel) kept.model(TRAINING, 0)) {
          if (!found.shape().equals(factors.shape()) || found.rank() != factors.rank()) {
            throw new IllegalArgumentException(
                String.format(
                    "the state of %s is of rank %s, and a state of rank %s is asked for",
                    member, found.rank(), factors.rank()));
          }
          for (Side side : Side.values()) {
            factors.side(side).copyFrom(found.side(side));
          }
        }
        return Optional.of(new TrainingProgress(state.get().step(), state.get().figures()));
      }

      @Override
      public void offer(FactorModel factors, TrainingProgress progress) {
        if (sweeps > 0 && progress.step() % sweeps == 0) {
          MemberState state = new MemberState(member, progress.step(), progress.figures());
          try {
            kept.saveChanging(TRAINING, state, factors);
          } catch (IOException e) {
            listener.on(new CheckpointFailed(kept.folder(), reason(e)));
          }
        }
      }
    };
  }

  private static String reason(IOException cause) {
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
