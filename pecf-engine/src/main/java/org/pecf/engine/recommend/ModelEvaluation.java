package org.pecf.engine.recommend;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.evaluate.UserSample;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.Workspace;

/**
 * An evaluation of a stored model, described step by step and then run.
 *
 * <pre>{@code
 * MeasuredModel measured = ModelEvaluation.of(Path.of("model")).run();
 * System.out.println(measured.reports().get("test").value("recall@50"));
 * }</pre>
 *
 * <p>Unless {@linkplain #data other data} is named, the model is measured on its own data, divided
 * as in its training. Since a model may come from anyone, data that it names is read only if it is
 * embedded, or a plain file for a loader that comes with PECF and reads that file alone; the
 * listener is notified of that file.
 */
public final class ModelEvaluation {
  private final Path model;
  private final List<Path> plugins = new ArrayList<>();
  private Optional<DataRequest> data = Optional.empty();
  private Optional<List<Integer>> cutoffs = Optional.empty();
  private Optional<CandidatePolicy> candidates = Optional.empty();
  private Optional<UserSample> sampleUsers = Optional.empty();
  private Optional<List<String>> metrics = Optional.empty();

  private ModelEvaluation(Path model) {
    this.model = model;
  }

  /** Evaluate the model in a folder. */
  public static ModelEvaluation of(Path model) {
    return new ModelEvaluation(model);
  }

  /** Look for plugins in a folder as well. */
  public ModelEvaluation plugins(Path folder) {
    plugins.add(folder);
    return this;
  }

  /**
   * Use data that the caller names. If it is the data of the training, it is divided as it was
   * then; otherwise the model is measured on the positives that it was not trained on.
   */
  public ModelEvaluation data(DataRequest request) {
    data = Optional.of(request);
    return this;
  }

  /** Measure lists of these lengths instead of the recorded ones. */
  public ModelEvaluation cutoffs(List<Integer> lengths) {
    cutoffs = Optional.of(List.copyOf(lengths));
    return this;
  }

  /** Rank other items than the recorded ones. */
  public ModelEvaluation candidates(CandidatePolicy policy) {
    candidates = Optional.of(policy);
    return this;
  }

  /** Measure other users than the recorded ones: all, or a sample of them. */
  public ModelEvaluation sampleUsers(UserSample sample) {
    sampleUsers = Optional.of(sample);
    return this;
  }

  /** Measure other metrics of plugins than the recorded ones. */
  public ModelEvaluation metrics(List<String> ids) {
    metrics = Optional.of(List.copyOf(ids));
    return this;
  }

  /** Run the evaluation on the best backend, with all processors. */
  public MeasuredModel run() {
    try (Workspace workspace =
        new Workspace(
            PluginCatalog.load(plugins),
            ComputeRequest.standard(),
            RunListener.none(),
            () -> false)) {
      return run(workspace);
    }
  }

  /**
   * Run the evaluation with the plugins, memory, threads and backend of a workspace.
   *
   * @param workspace stays owned by the caller
   */
  public MeasuredModel run(Workspace workspace) {
    try (StoredModel stored = ModelStore.open(model, workspace.allocator())) {
      TrainingRequest recorded = RequestJson.read(stored.description().request());
      try (Dataset dataset = load(recorded, workspace);
          ComputeSession session = workspace.open(stored.ensemble().shape())) {
        boolean same = dataset.fingerprint().equals(stored.description().dataFingerprint());
        if (!same && data.isEmpty()) {
          throw PecfException.badData(
              "%s has changed since the model was trained. Name the data to measure the model on.",
              recorded.data().location());
        }
        if (same && !recorded.split().holdsOut()) {
          throw PecfException.badOption(
              "The model at %s was trained on all of this data, so none is left to measure it on."
                  + " Name data with new positives.",
              model);
        }
        // Other data is a part of its own: it is not divided.
        SplitRule split = same ? recorded.split() : SplitRule.parse("files");
        EvaluationRequest request =
            new EvaluationRequest(
                cutoffs.orElse(recorded.evaluation().cutoffs()),
                candidates.orElse(
                    same ? recorded.evaluation().candidates() : CandidatePolicy.usual(split)),
                sampleUsers.orElse(recorded.evaluation().sampleUsers()),
                metrics.orElse(recorded.evaluation().metrics()));
        stored.ensemble().keepIn(session);
        Measurement measurement =
            new Measurement(
                stored, recorded, Metrics.of(request, workspace.catalog()), session, workspace);
        return new MeasuredModel(
            same ? measurement.ofOwnParts(dataset) : measurement.ofNewPositives(dataset),
            split,
            request,
            dataset.summary(),
            dataset.fingerprint(),
            stored.description());
      }
    }
  }

  private Dataset load(TrainingRequest recorded, Workspace workspace) {
    return data.isPresent()
        ? workspace.load(data.get())
        : new RecordedData(recorded.data(), model, workspace.catalog()).load(workspace);
  }

  /** The measurement of one model on one session. */
  private record Measurement(
      StoredModel stored,
      TrainingRequest recorded,
      Metrics metrics,
      ComputeSession session,
      Workspace workspace) {
    /** Divide the model's own data as its training did, and measure the parts held out. */
    Map<String, EvaluationReport> ofOwnParts(Dataset dataset) {
      Map<String, EvaluationReport> reports = new LinkedHashMap<>();
      Seed seed = new Seed(recorded.seed()).child("split");
      try (Split split = recorded.split().split(dataset, seed, workspace.allocator())) {
        if (split.validation().count() > 0) {
          reports.put(Part.VALIDATION.toString(), report(split, Part.VALIDATION));
        }
        reports.put(Part.TEST.toString(), report(split, Part.TEST));
      }
      return reports;
    }

    /** Measure the positives of other data that the model was not trained on. */
    Map<String, EvaluationReport> ofNewPositives(Dataset dataset) {
      NewPositives found = NewPositives.of(dataset, stored, workspace.allocator());
      try (SparseCells positives = found.cells();
          SparseCells none = none()) {
        workspace.listener().on(found.found());
        // The split borrows the training positives of the model, so it is not closed.
        Split split = new Split(stored.training(), none, positives, Optional.empty());
        return Map.of("new positives", report(split, Part.TEST));
      }
    }

    private SparseCells none() {
      return SparseCells.ofSorted(
          workspace.allocator(),
          stored.users().size(),
          stored.items().size(),
          0,
          new int[0],
          new int[0]);
    }

    private EvaluationReport report(Split split, Part part) {
      return Evaluator.evaluate(
          stored.ensemble().prediction(),
          split.part(part),
          metrics,
          recorded.ensemble().confidence(),
          session,
          workspace.cancellation());
    }
  }
}
