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
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.construct.BuildResult;
import org.pecf.engine.construct.ConstructionState;
import org.pecf.engine.construct.MemberFinished;
import org.pecf.engine.construct.StateStore;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.model.KnownCells;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.request.TrainingRequest;

/** The outcome of a run and the memory that holds it; of shared data, it owns only the ensemble. */
public final class TrainingResult implements AutoCloseable {
  private final TrainingRequest request;
  private final PreparedData data;
  private final Split split;
  private final BuildResult built;
  private final Map<Part, EvaluationReport> reports;
  private final MemoryUse memory;
  private final boolean complete;
  private final ConstructionState kept;
  private final Runnable release;
  private final Optional<TrainingResult> measured;

  TrainingResult(
      TrainingRequest request,
      PreparedData data,
      Split split,
      BuildResult built,
      Map<Part, EvaluationReport> reports,
      MemoryUse memory,
      boolean complete,
      ConstructionState kept,
      Runnable release,
      Optional<TrainingResult> measured) {
    this.request = request;
    this.data = data;
    this.split = split;
    this.built = built;
    this.reports = Collections.unmodifiableMap(new LinkedHashMap<>(reports));
    this.memory = memory;
    this.complete = complete;
    this.kept = kept;
    this.release = release;
    this.measured = measured;
  }

  /** Return the request. */
  public TrainingRequest request() {
    return request;
  }

  /** Return the data. */
  public Dataset dataset() {
    return data.dataset();
  }

  /** Return how the data was divided. */
  public Split split() {
    return split;
  }

  /** Return how much memory was expected to be taken, and was. */
  public MemoryUse memory() {
    return memory;
  }

  /** Return the ensemble. */
  public Ensemble ensemble() {
    return built.ensemble();
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

  /** Return whether the run came to its end, or else was cancelled. */
  public boolean complete() {
    return complete;
  }

  /** Return the metrics by part; a cancelled run may have left some out. */
  public Map<Part, EvaluationReport> reports() {
    return reports;
  }

  /**
   * Measure simpler predictions for comparison, on the last part that the ensemble was measured on:
   * the popularity of items in training, and the member that is best by itself on validation.
   *
   * @return their metrics and those of the ensemble; empty if it was not measured
   */
  public Optional<Comparison> compare() {
    return reports.keySet().stream()
        .reduce((earlier, later) -> later)
        .map(part -> Comparison.of(this, part, data.workspace()));
  }

  /**
   * Train the same plan, with as many members as this run kept, on all of the data: a model to use
   * rather than to measure. When it is saved, the metrics of this run go with it and are labelled
   * as such.
   *
   * @return the result, without metrics of its own; the caller closes it before this one
   * @throws PecfException if the plan cannot be trained on all data, or if the run is cancelled
   */
  public TrainingResult refit() {
    if (!complete) {
      throw new IllegalStateException("a run that was cancelled has no plan to repeat");
    }
    TrainingResult all =
        TrainingRun.refit(request, built.kept(), built.ensemble().weights(), data, kept);
    return new TrainingResult(
        all.request,
        data,
        all.split,
        all.built,
        Map.of(),
        all.memory,
        true,
        ConstructionState.none(),
        all.release,
        Optional.of(this));
  }

  /** Return the version of the plugin of every provider that the run used, by kind and id. */
  public Map<String, String> plugins() {
    return RunIdentity.plugins(request, data);
  }

  /** Delete the checkpoint of the run, if there is one: all that it would recover is stored. */
  public void discardCheckpoint() {
    kept.checkpoint().ifPresent(StateStore::delete);
  }

  /**
   * Save the ensemble as a new model.
   *
   * @param place the folder of the model, which must not hold one yet
   */
  public void save(Path place) {
    save(place, false, Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  /**
   * Save the ensemble as a model.
   *
   * @param place the folder of the model
   * @param overwrite whether a model at the place is replaced
   * @param created the time to record
   */
  public void save(Path place, boolean overwrite, Instant created) {
    Map<String, Map<String, Double>> metrics = new LinkedHashMap<>();
    measured
        .map(TrainingResult::reports)
        .orElse(reports)
        .forEach((part, report) -> metrics.put(part.toString(), report.named()));
    ModelDescription description =
        new ModelDescription(
            EngineVersion.number(),
            created,
            complete,
            request.seed(),
            dataset().fingerprint(),
            RequestJson.write(request),
            plugins(),
            metrics,
            metricsOf());
    try (SparseCells alsoKnown = alsoKnown()) {
      // A view of what this result owns: it is not closed.
      StoredModel model =
          new StoredModel(
              built.ensemble(),
              dataset().users(),
              dataset().items(),
              split.training(),
              alsoKnown,
              description);
      ModelStore.save(place, model, overwrite, data.workspace().allocator());
    }
  }

  /** Return the ensemble that the metrics belong to, in words. */
  public String metricsOf() {
    return measured
        .map(
            run ->
                "the same plan trained on the training part of split "
                    + run.request.split()
                    + "; this model was trained on all data and not measured itself")
        .orElse(ModelDescription.THIS_MODEL);
  }

  private SparseCells alsoKnown() {
    List<SparseCells> known = new ArrayList<>(List.of(dataset().positives()));
    dataset().negatives().ifPresent(known::add);
    return KnownCells.of(known, split.training(), data.workspace().allocator());
  }

  @Override
  public void close() {
    kept.checkpoint().ifPresent(StateStore::close);
    built.ensemble().close();
    release.run();
  }
}
