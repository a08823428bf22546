package org.pecf.engine.run;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.data.Part;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.construct.BuildResult;
import org.pecf.engine.construct.CheckpointStore;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.construct.LoopCheckpoint;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.effort.SettingsChosen;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.model.EngineVersion;
import org.pecf.engine.model.KnownCells;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.run.TrainingRunEvent.MemoryUse;

/**
 * The result of a run: an ensemble with its history and metrics, to be stored, reported and
 * recommended from. It owns the ensemble; the data is borrowed from the run.
 */
public final class TrainingResult implements AutoCloseable {
  private final TrainingRun run;
  private final TrainingRequest request;
  private final Split split;
  private final BuildResult built;
  private final Outcome outcome;
  private final Optional<Comparison> comparison;
  private final Optional<TrainingResult> refitted;
  private final LoopCheckpoint state;
  private final Runnable release;

  /**
   * The outcome of a training beside its ensemble.
   *
   * @param complete whether the training came to its end, or else was cancelled
   * @param reports the metrics by part; a cancelled run may have left some out
   * @param memory how much memory was expected to be taken, and was
   */
  record Outcome(boolean complete, Map<Part, EvaluationReport> reports, MemoryUse memory) {
    Outcome {
      reports = Collections.unmodifiableMap(new LinkedHashMap<>(reports));
    }
  }

  /**
   * Gather a result.
   *
   * @param request the request of this training: that of the run, or of its refit
   * @param built the ensemble, from now on owned by the result
   * @param state the state of the run, closed with the result
   * @param release called when the result is closed
   */
  TrainingResult(
      TrainingRun run,
      TrainingRequest request,
      Split split,
      BuildResult built,
      Outcome outcome,
      LoopCheckpoint state,
      Runnable release) {
    this(run, request, split, built, outcome, Optional.empty(), Optional.empty(), state, release);
  }

  private TrainingResult(
      TrainingRun run,
      TrainingRequest request,
      Split split,
      BuildResult built,
      Outcome outcome,
      Optional<Comparison> comparison,
      Optional<TrainingResult> refitted,
      LoopCheckpoint state,
      Runnable release) {
    this.run = run;
    this.request = request;
    this.split = split;
    this.built = built;
    this.outcome = outcome;
    this.comparison = comparison;
    this.refitted = refitted;
    this.state = state;
    this.release = release;
  }

  /** Return this result with simpler predictions beside it; it takes the place of this one. */
  TrainingResult with(Optional<Comparison> beside) {
    return new TrainingResult(
        run, request, split, built, outcome, beside, refitted, state, release);
  }

  /** Return this result with that of the refit; it takes the place of both. */
  TrainingResult withRefit(TrainingResult all) {
    return new TrainingResult(
        run, request, split, built, outcome, comparison, Optional.of(all), state, release);
  }

  /** Return this result with something else to close after it; it takes the place of this one. */
  TrainingResult closing(Runnable after) {
    Runnable both =
        () -> {
          release.run();
          after.run();
        };
    return new TrainingResult(
        run, request, split, built, outcome, comparison, refitted, state, both);
  }

  /** Return the request. */
  public TrainingRequest request() {
    return request;
  }

  /** Return the settings that were chosen for the request, if any were. */
  public Optional<SettingsChosen> chosen() {
    return run.chosen();
  }

  /** Return the data. */
  public Dataset dataset() {
    return run.data().dataset();
  }

  /** Return how the data was divided. */
  public Split split() {
    return split;
  }

  /** Return how much memory was expected to be taken, and was. */
  public MemoryUse memory() {
    return outcome.memory();
  }

  /** Return the ensemble. */
  public Ensemble ensemble() {
    return built.ensemble();
  }

  /** Return which of the plan's members, counted from 0, the members of the ensemble are. */
  List<Integer> kept() {
    return built.kept();
  }

  /** Return the weight of each trained member that was kept, by its number, counted from 1. */
  public Map<Integer, Double> weights() {
    Map<Integer, Double> weights = new LinkedHashMap<>();
    double[] kept = built.ensemble().weights();
    for (int k = 0; k < kept.length; k++) {
      weights.put(built.kept().get(k) + 1, kept[k]);
    }
    return weights;
  }

  /** Return the rounds, in order. */
  public List<MemberFinished> rounds() {
    return built.rounds();
  }

  /** Return whether the training came to its end, or else was cancelled. */
  public boolean complete() {
    return outcome.complete();
  }

  /** Return the metrics by part; a cancelled run may have left some out. */
  public Map<Part, EvaluationReport> reports() {
    return outcome.reports();
  }

  /** Return simpler predictions beside the ensemble, if the run measured them. */
  public Optional<Comparison> comparison() {
    return comparison;
  }

  /**
   * Return the same plan, with as many members as were kept, trained on more of the data, if the
   * run did that. Trained on all of it, it has no metrics of its own. It is closed with this
   * result.
   */
  public Optional<TrainingResult> refitted() {
    return refitted;
  }

  /** Return the state of the run, which the result closes. */
  LoopCheckpoint state() {
    return state;
  }

  /** Return the version of the plugin of every provider that the run used, by kind and id. */
  public Map<String, String> plugins() {
    return RunIdentity.plugins(request, run.data());
  }

  /** Delete the checkpoint of the run, if there is one: all that it would recover is stored. */
  public void discardCheckpoint() {
    state.checkpoint().ifPresent(CheckpointStore::delete);
  }

  /**
   * Save the model.
   *
   * @param place the folder of the model, which must not hold one yet
   */
  public void save(Path place) {
    save(place, false, Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  /**
   * Save the model: the refitted ensemble if there is one, else the measured one. The metrics go
   * with it.
   *
   * @param place the folder of the model
   * @param overwrite whether a model at the place is replaced
   * @param created the time to record
   */
  public void save(Path place, boolean overwrite, Instant created) {
    try (SparseCells alsoKnown = trained().alsoKnown()) {
      // A view of what this result owns: it is not closed.
      StoredModel model = model(alsoKnown, created);
      ModelStore.save(place, model, overwrite, run.data().workspace().allocator());
    }
  }

  /**
   * Return a recommender of the model as it is in memory, without storing it; the refitted ensemble
   * if there is one. It borrows from this result and is closed before it.
   */
  public Recommender recommender() {
    SparseCells alsoKnown = trained().alsoKnown();
    StoredModel model = model(alsoKnown, Instant.now().truncatedTo(ChronoUnit.SECONDS));
    return Recommender.of(model, alsoKnown::close);
  }

  /** Return the result of the training that the model comes from. */
  private TrainingResult trained() {
    return refitted.orElse(this);
  }

  private StoredModel model(SparseCells alsoKnown, Instant created) {
    TrainingResult trained = trained();
    Map<String, Map<String, Double>> metrics = new LinkedHashMap<>();
    (measured(trained) ? trained : this)
        .reports()
        .forEach((part, report) -> metrics.put(part.toString(), report.named()));
    ModelDescription description =
        new ModelDescription(
            EngineVersion.number(),
            created,
            trained.complete(),
            trained.request.seed(),
            dataset().fingerprint(),
            RequestJson.write(trained.request),
            trained.plugins(),
            metrics,
            measured(trained) ? ModelDescription.THIS_MODEL : metricsOf());
    return new StoredModel(
        trained.ensemble(),
        dataset().users(),
        dataset().items(),
        trained.split.training(),
        alsoKnown,
        description);
  }

  private static boolean measured(TrainingResult trained) {
    return !trained.reports().isEmpty();
  }

  /** Return the ensemble that the metrics belong to, in words. */
  public String metricsOf() {
    if (refitted.isEmpty()) {
      return ModelDescription.THIS_MODEL;
    }
    return "the same plan trained on the training part of split "
        + request.split()
        + (measured(refitted.get())
            ? "; this model was trained on " + Refit.TRAINING_AND_VALIDATION
            : "; this model was trained on all data and not measured itself");
  }

  private SparseCells alsoKnown() {
    List<SparseCells> known = new ArrayList<>(List.of(dataset().positives()));
    dataset().negatives().ifPresent(known::add);
    return KnownCells.of(known, split.training(), run.data().workspace().allocator());
  }

  @Override
  public void close() {
    refitted.ifPresent(TrainingResult::close);
    state.checkpoint().ifPresent(CheckpointStore::close);
    built.ensemble().close();
    release.run();
  }
}
