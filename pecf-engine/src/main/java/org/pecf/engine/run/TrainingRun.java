package org.pecf.engine.run;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.arrow.util.AutoCloseables;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.engine.construct.BuildPlan;
import org.pecf.engine.construct.BuildResult;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleBuilder;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.construct.LoopCheckpoint;
import org.pecf.engine.construct.MemberLibrary;
import org.pecf.engine.construct.MemberWeights;
import org.pecf.engine.construct.TrainingCells;
import org.pecf.engine.construct.Validation;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.effort.SettingsChosen;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.model.CheckpointFolder;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.Workspace;
import org.pecf.engine.run.TrainingRunEvent.Evaluated;
import org.pecf.engine.run.TrainingRunEvent.MemoryUse;
import org.pecf.engine.run.TrainingRunEvent.RefitStarted;
import org.pecf.engine.run.TrainingRunEvent.Resumed;

/**
 * A run on loaded data: its ensemble is grown, measured, compared with simpler predictions and
 * trained again on more of the data, as far as that was asked for. Closing it releases the data if
 * it came with the run.
 */
public final class TrainingRun implements AutoCloseable {
  /** The bytes that a member takes at least, with its entries in lists and results. */
  private static final int LEAST_MEMBER = 1 << 12;

  private final TrainingRequest request;
  private final PreparedData data;
  private final Workspace workspace;
  private final RunScope scope;
  private final Optional<SettingsChosen> chosen;
  private final Runnable release;
  private volatile Supplier<Optional<TrainingResult>> soFar = Optional::empty;

  /**
   * Describe a run on data that others use too. The data's workspace has the resources.
   *
   * @param request the request, about the same ratings
   * @param data borrowed by the run and its result
   * @param scope the work beside the training
   */
  public TrainingRun(TrainingRequest request, PreparedData data, RunScope scope) {
    this(request, data, scope, Optional.empty(), () -> {});
  }

  /**
   * Describe a run.
   *
   * @param chosen the settings that were chosen for it, if any were
   * @param release called when the run is closed
   */
  TrainingRun(
      TrainingRequest request,
      PreparedData data,
      RunScope scope,
      Optional<SettingsChosen> chosen,
      Runnable release) {
    this.request = request;
    this.data = data;
    this.workspace = data.workspace();
    this.scope = scope;
    this.chosen = chosen;
    this.release = release;
  }

  /** Return the request. */
  public TrainingRequest request() {
    return request;
  }

  /** Return the data, as long as the run is open. */
  PreparedData data() {
    return data;
  }

  /** Return the settings that were chosen for the request, if any were. */
  Optional<SettingsChosen> chosen() {
    return chosen;
  }

  /**
   * Train and measure. A run that is cancelled keeps what is finished by then, down to its members.
   *
   * @return the result, to be closed by the caller before the run
   * @throws PecfException with {@link ErrorCode#CANCELLED} if the run is cancelled before a member
   *     is finished
   */
  public TrainingResult run() {
    Split split = data.split(request.split(), request.seed());
    BuildPlan plan = plan(request, workspace.catalog());
    LoopCheckpoint kept = state();
    TrainingResult result;
    try {
      soFar = () -> unfinished(split, kept);
      result = train(plan, split, kept);
    } catch (RuntimeException | Error e) {
      kept.checkpoint().ifPresent(checkpoint -> AutoCloseables.close(e, checkpoint::close));
      throw e;
    }
    try {
      result = reached(result);
      if (scope.compare() && result.complete()) {
        result = reached(result.with(Comparison.of(result, workspace)));
      }
      if (scope.refit().isPresent() && result.complete()) {
        result = reached(result.withRefit(refit(result, scope.refit().get())));
      }
      return result;
    } catch (PecfException e) {
      if (e.code() == ErrorCode.CANCELLED) {
        return result;
      }
      AutoCloseables.close(e, result);
      throw e;
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, result);
      throw e;
    }
  }

  private TrainingResult reached(TrainingResult result) {
    soFar = () -> Optional.of(result);
    return result;
  }

  /**
   * Return the result that the run would have if it stopped now, if a member is finished: for a
   * caller that can no longer wait, since the code of a plugin may not heed that it was cancelled.
   * The result borrows all memory from the run: use it while the run is still at work, and do not
   * close it. May be called from any thread.
   */
  public Optional<TrainingResult> soFar() {
    return soFar.get();
  }

  @Override
  public void close() {
    release.run();
  }

  private LoopCheckpoint state() {
    if (scope.checkpoints().isEmpty()) {
      return LoopCheckpoint.none();
    }
    CheckpointRequest where = scope.checkpoints().get();
    return LoopCheckpoint.in(open(where), where.sweeps(), workspace.listener());
  }

  /** Train the plan, with members from the library if there is one. */
  private TrainingResult train(BuildPlan plan, Split split, LoopCheckpoint kept) {
    if (scope.library().isEmpty()) {
      return train(request, plan, split, scope.parts(), kept, kept, () -> {});
    }
    try (CheckpointFolder members =
        CheckpointFolder.open(scope.library().get(), true, workspace.allocator())) {
      MemberLibrary library =
          new MemberLibrary(
              members,
              RunIdentity.member(request, data),
              scope.passing() ? RunListener.none() : workspace.listener());
      return train(request, plan, split, scope.parts(), kept, kept.with(library), () -> {});
    }
  }

  /** Open the checkpoint; if the run goes on, all that it depends on must be as it began. */
  private CheckpointFolder open(CheckpointRequest where) {
    CheckpointFolder checkpoint =
        CheckpointFolder.open(where.folder(), where.resume(), workspace.allocator());
    try {
      if (where.resume()) {
        workspace.listener().on(new Resumed(where.folder(), checkpoint.begun()));
      }
      checkpoint.require("options", RunIdentity.options(request));
      checkpoint.require("data", Map.of("fingerprint", data.dataset().fingerprint()));
      checkpoint.require("versions", RunIdentity.versions(request, data));
      return checkpoint;
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, checkpoint);
      throw e;
    }
  }

  /**
   * Return the description of the model in a folder if this run gave or would give it: that of a
   * run with the same options.
   *
   * @param place a folder, which need not exist
   */
  public Optional<ModelDescription> stored(Path place) {
    if (!ModelStore.exists(place)) {
      return Optional.empty();
    }
    ModelDescription found = ModelStore.describe(place);
    TrainingRequest recorded = RequestJson.read(found.request());
    return RunIdentity.options(recorded).equals(RunIdentity.options(request))
        ? Optional.of(found)
        : Optional.empty();
  }

  /**
   * Refuse a request whose filters train models that cannot be stored.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION}
   */
  static void checkStorable(TrainingRequest request, PluginCatalog catalog) {
    for (ProviderChoice choice : request.ensemble().filters()) {
      if (catalog.filter(choice).capabilities().contains(FilterCapability.OWN_MODEL)) {
        throw ModelStore.notStorable(choice.id());
      }
    }
  }

  /**
   * Refuse a run whose plan cannot be trained again without validation.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} and the remedy
   */
  static void checkRefit(TrainingRequest request, PluginCatalog catalog) {
    EnsembleRequest ensemble = request.ensemble();
    if (!request.split().holdsOut()) {
      throw PecfException.badOption(
          "The split %s trains on all data already. Leave the refit out, or choose a split that"
              + " holds data out.",
          request.split());
    }
    if (catalog.alpha(ensemble.alpha()).usesValidation()) {
      throw PecfException.badOption(
          "The alpha strategy searches the validation cells, of which a refit has none."
              + " Leave the refit out, or search the training cells.");
    }
    if (ensemble.chains() > 1 && ensemble.selects()) {
      throw PecfException.badOption(
          "With patience or fitted weights, chains may end with different members, which a refit"
              + " does not repeat. Leave these out, or use one chain.");
    }
  }

  /**
   * Train the same plan, with the members that a measured result kept, on more of the data, and
   * measure it on a test part if that leaves one.
   *
   * @throws PecfException with {@link ErrorCode#CANCELLED} if the run is cancelled
   */
  private TrainingResult refit(TrainingResult measured, Refit parts) {
    EnsembleRequest ensemble = request.ensemble();
    if (ensemble.selects()) {
      List<Integer> kept = measured.kept();
      Map<String, String> changed = new LinkedHashMap<>();
      changed.put("patience", "0");
      changed.put("rounds", Integer.toString(kept.size() - 1));
      if (ensemble.weights().fitted()) {
        changed.put("weights", MemberWeights.of(measured.ensemble().weights()).toString());
        List<ProviderChoice> filters = ensemble.filters();
        ensemble =
            ensemble.withFilters(kept.stream().map(k -> filters.get(k % filters.size())).toList());
      }
      ensemble = ensemble.with(changed);
    }
    TrainingRequest again =
        request
            .withProtocol(parts.rule(request.split()), request.evaluation())
            .withEnsemble(ensemble);
    Split more =
        again
            .split()
            .split(data.dataset(), new Seed(again.seed()).child("split"), workspace.allocator());
    TrainingResult result;
    try {
      workspace
          .listener()
          .on(new RefitStarted(measured.kept().size(), parts, more.training().count()));
      LoopCheckpoint apart = measured.state().apart(parts == Refit.ALL ? "refit" : "final");
      BuildPlan plan = plan(again, workspace.catalog());
      Set<Part> test = scope.parts().contains(Part.TEST) ? Set.of(Part.TEST) : Set.of();
      result = train(again, plan, more, test, LoopCheckpoint.none(), apart, more::close);
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, more);
      throw e;
    }
    if (!result.complete()) {
      result.close();
      throw PecfException.cancelled();
    }
    return result;
  }

  /**
   * Train a plan and measure the ensemble.
   *
   * @param what the request of the plan: that of the run, or of its refit
   * @param owned the state that the result closes
   * @param state the state that the construction works with
   * @param close called when the result is closed
   */
  private TrainingResult train(
      TrainingRequest what,
      BuildPlan plan,
      Split split,
      Set<Part> parts,
      LoopCheckpoint owned,
      LoopCheckpoint state,
      Runnable close) {
    GridShape shape = data.dataset().shape();
    long estimated = requireMemory(what, plan, shape, split.positives(Part.TRAINING).count());
    Ensemble ensemble = null;
    try (ComputeSession session = workspace.open(shape)) {
      TrainingContext context =
          new TrainingContext(
              workspace.context(), session, new Seed(what.seed()).child("construction"));
      TrainingCells cells = TrainingCells.of(split, what.ensemble().confidence());
      if (workspace.compute().path() == ComputationPath.CORRECTED
          && workspace.compute().weightError() > 0) {
        plan.checkBackground(cells, session.fields());
      }
      Optional<Validation> validation =
          Optional.of(split.part(Part.VALIDATION))
              .filter(part -> part.positives().count() > 0)
              .map(part -> new Validation(part, what.ensemble().confidence()));
      BuildResult built =
          EnsembleBuilder.build(
              plan,
              what.ensemble().em(),
              what.ensemble().chains(),
              cells,
              validation,
              context,
              state);
      ensemble = built.ensemble();
      Map<Part, EvaluationReport> reports = new LinkedHashMap<>();
      boolean complete =
          built.complete() && evaluate(what, plan, built, split, parts, session, reports);
      MemoryUse memory = new MemoryUse(estimated, workspace.allocator().getPeakMemoryAllocation());
      workspace.listener().on(memory);
      return new TrainingResult(
          this,
          what,
          split,
          built,
          new TrainingResult.Outcome(complete, reports, memory),
          owned,
          close);
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, ensemble);
      throw e;
    }
  }

  /** Return the result that the run would have if it were cancelled now, if it has any. */
  private Optional<TrainingResult> unfinished(Split split, LoopCheckpoint kept) {
    MemoryUse memory = new MemoryUse(0, workspace.allocator().getPeakMemoryAllocation());
    return kept.finished()
        .map(
            built ->
                new TrainingResult(
                    this,
                    request,
                    split,
                    built,
                    new TrainingResult.Outcome(false, Map.of(), memory),
                    kept,
                    () -> {}));
  }

  /**
   * Return the plan of a request.
   *
   * @throws PecfException if a plugin is missing or refuses its options
   */
  static BuildPlan plan(TrainingRequest request, PluginCatalog catalog) {
    EnsembleRequest ensemble = request.ensemble();
    ensemble.construction().check(ensemble.weighting());
    List<BuildPlan.NamedFilter> filters =
        ensemble.filters().stream()
            .map(
                (ProviderChoice choice) ->
                    new BuildPlan.NamedFilter(
                        choice.id(),
                        catalog.filter(choice),
                        RunIdentity.filter(choice, catalog),
                        Optional.of(ensemble.confidence(choice))
                            .filter(own -> !own.equals(ensemble.confidence()))))
            .toList();
    return new BuildPlan(
        ensemble.construction(),
        filters,
        catalog.weighting(ensemble.weighting()),
        catalog.alpha(ensemble.alpha()),
        ensemble.rounds(),
        ensemble.patience(),
        ensemble.weights(),
        ensemble.selection(),
        Metrics.of(request.evaluation(), catalog));
  }

  /** Refuse a training that cannot fit in memory, and return a bound on the memory it takes. */
  private long requireMemory(TrainingRequest what, BuildPlan plan, GridShape shape, int positives) {
    // EM holds the components of two iterations at a time.
    long members =
        plan.construction() == Construction.EM
            ? 2L * what.ensemble().em().components()
            : plan.members();
    members *= what.ensemble().chains();
    double bytes = 0;
    long largest = 0;
    int filters = plan.filters().size();
    for (int filter = 0; filter < Math.min(filters, members); filter++) {
      BuildPlan.NamedFilter named = plan.filterOf(filter);
      long one = named.filter().memoryEstimate(shape, positives);
      workspace.requireMemory(PluginCatalog.nameOf(named.filter(), named.id()), one);
      long count = (members - filter + filters - 1) / filters;
      bytes += (double) Math.max(one, LEAST_MEMBER) * count;
      largest = Math.max(largest, one);
    }
    workspace.requireMemory((long) bytes, members);
    long rank = largest / Float.BYTES / ((long) shape.users() + shape.items()) + 1;
    return MemoryUse.estimate(
        workspace.allocator(), (long) bytes, workspace.backendMemory(shape, Math.toIntExact(rank)));
  }

  /**
   * Measure the ensemble, on the validation part only if the construction has not done so.
   *
   * @param parts the parts to measure it on
   * @param reports receives the metrics. Modified.
   * @return whether it came to its end, or else was cancelled, which must not cost the ensemble
   */
  private boolean evaluate(
      TrainingRequest what,
      BuildPlan plan,
      BuildResult built,
      Split split,
      Set<Part> parts,
      ComputeSession session,
      Map<Part, EvaluationReport> reports) {
    try {
      Ensemble ensemble = built.ensemble();
      if (parts.stream().noneMatch(part -> split.positives(part).count() > 0)) {
        return true;
      }
      // Of a single chain that was not cut short the session keeps the prediction already, if the
      // rounds were measured.
      if (what.ensemble().chains() > 1
          || split.validation().count() == 0
          || what.ensemble().patience() > 0
          || what.ensemble().construction().standardises()
          || what.ensemble().weights().kind() != MemberWeights.Kind.JOINED
          || what.ensemble().construction() == Construction.EM) {
        ensemble.keepIn(session);
      }
      for (Part part : EnumSet.of(Part.VALIDATION, Part.TEST)) {
        if (split.positives(part).count() > 0 && parts.contains(part)) {
          EvaluationReport report =
              built
                  .validation()
                  .filter(measured -> part == Part.VALIDATION)
                  .orElseGet(
                      () ->
                          Evaluator.evaluate(
                              ensemble.prediction(),
                              split.part(part),
                              plan.metrics(),
                              what.ensemble().confidence(),
                              session,
                              workspace.cancellation()));
          reports.put(part, report);
          workspace.listener().on(new Evaluated(part, report));
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
}
