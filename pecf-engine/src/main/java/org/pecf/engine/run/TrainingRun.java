package org.pecf.engine.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.engine.construct.BuildContext;
import org.pecf.engine.construct.BuildPlan;
import org.pecf.engine.construct.BuildResult;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleBuilder;
import org.pecf.engine.construct.LearningCells;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.split.Split;

/** Load, split, grow, evaluate: the whole flow of a run. */
public final class TrainingRun {
  private final TrainingRequest request;
  private final Workspace workspace;

  private TrainingRun(TrainingRequest request, Workspace workspace) {
    this.request = request;
    this.workspace = workspace;
  }

  /**
   * Run a request.
   *
   * @param request what to do
   * @param catalog where plugins are found
   * @param listener hears of everything
   * @param cancellation tells when to stop; members finished by then are kept
   * @return the result, to be closed by the caller
   */
  public static TrainingResult execute(
      TrainingRequest request,
      PluginCatalog catalog,
      RunListener listener,
      Cancellation cancellation) {
    Workspace workspace = new Workspace(catalog, request.compute(), listener, cancellation);
    try {
      return new TrainingRun(request, workspace).run();
    } catch (RuntimeException | Error e) {
      closeAfter(e, workspace);
      throw e;
    }
  }

  private TrainingResult run() {
    BuildPlan plan = plan();
    Dataset dataset = workspace.load(request.data());
    Split split = null;
    Ensemble ensemble = null;
    try {
      Seed seed = new Seed(request.seed());
      split = request.split().split(dataset, seed.child("split"), workspace.allocator());
      workspace
          .listener()
          .on(
              new SplitMade(
                  request.split().toString(),
                  split.training().count(),
                  split.validation().count(),
                  split.test().count()));
      requireMemory(plan, dataset.shape());
      try (ComputeSession session = workspace.open(dataset.shape())) {
        BuildContext context =
            new BuildContext(
                workspace.allocator(),
                session,
                workspace.pool(),
                seed.child("construction"),
                workspace.cancellation(),
                workspace.listener());
        LearningCells cells = new LearningCells(split, request.confidence());
        BuildResult built =
            EnsembleBuilder.build(plan, request.em(), request.chains(), cells, context);
        ensemble = built.ensemble();
        Map<String, EvaluationReport> reports = new LinkedHashMap<>();
        boolean complete = built.complete() && evaluate(ensemble, split, session, reports);
        return new TrainingResult(request, workspace, dataset, split, built, reports, complete);
      }
    } catch (RuntimeException | Error e) {
      closeAfter(e, ensemble);
      closeAfter(e, split);
      closeAfter(e, dataset);
      throw e;
    }
  }

  private BuildPlan plan() {
    request.construction().check(request.weighting());
    PluginCatalog catalog = workspace.catalog();
    List<BuildPlan.NamedFilter> filters =
        request.filters().stream()
            .map(
                (ProviderChoice choice) ->
                    new BuildPlan.NamedFilter(choice.id(), catalog.filter(choice)))
            .toList();
    return new BuildPlan(
        request.construction(),
        filters,
        catalog.weighting(request.weighting()),
        catalog.alpha(request.alpha()),
        request.rounds(),
        request.patience(),
        request.selection(),
        request.evaluation());
  }

  private void requireMemory(BuildPlan plan, GridShape shape) {
    // EM holds the components of two iterations at a time.
    int members =
        plan.construction() == Construction.EM ? 2 * request.em().components() : plan.members();
    members *= request.chains();
    long bytes = 0;
    for (int member = 0; member < members; member++) {
      bytes += plan.filterOf(member).filter().memoryEstimate(shape);
    }
    workspace.requireMemory(
        bytes, "the factors of " + members + " members", "lower --rank or the number of members");
  }

  /**
   * Measure the ensemble.
   *
   * @param reports receives what was measured. Modified.
   * @return whether it came to its end, or else was cancelled, which must not cost the ensemble
   */
  private boolean evaluate(
      Ensemble ensemble,
      Split split,
      ComputeSession session,
      Map<String, EvaluationReport> reports) {
    try {
      for (int part : new int[] {Split.VALIDATION, Split.TEST}) {
        boolean present = (part == Split.TEST ? split.test() : split.validation()).count() > 0;
        if (present) {
          String name = part == Split.TEST ? "test" : "validation";
          EvaluationReport report =
              Evaluator.evaluate(
                  ensemble.prediction(),
                  split,
                  part,
                  request.evaluation(),
                  request.confidence(),
                  session,
                  workspace.cancellation());
          reports.put(name, report);
          workspace.listener().on(new Evaluated(name, report));
        }
      }
      return true;
    } catch (PecfException e) {
      if (e.code() != ErrorCode.CANCELLED) {
        throw e;
      }
      return false;
    }
  }

  private static void closeAfter(Throwable problem, AutoCloseable resource) {
    if (resource != null) {
      try {
        resource.close();
      } catch (Exception e) {
        problem.addSuppressed(e);
      }
    }
  }
}
