package org.pecf.engine.run;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.arrow.util.AutoCloseables;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.engine.construct.BuildPlan;
import org.pecf.engine.construct.BuildResult;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.ConstructionState;
import org.pecf.engine.construct.EnsembleBuilder;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.construct.MemberLibrary;
import org.pecf.engine.construct.MemberWeights;
import org.pecf.engine.construct.TrainingCells;
import org.pecf.engine.construct.Validation;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.model.Checkpoint;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.TrainingRequest;

/** The whole flow of a run: load, split, grow, evaluate. */
public final class TrainingRun {
  /** The bytes that a member takes at least, with its entries in lists and results. */
  private static final int LEAST_MEMBER = 1 << 12;

  private final TrainingRequest request;
  private final Workspace workspace;

  private TrainingRun(TrainingRequest request, Workspace workspace) {
    this.request = request;
    this.workspace = workspace;
  }

  /**
   * Refuse a request whose filters train models that cannot be stored. Call it before a training
   * whose result is to be stored.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION}
   */
  public static void checkStorable(TrainingRequest request, PluginCatalog catalog) {
    for (ProviderChoice choice : request.ensemble().filters()) {
      if (catalog.filter(choice).capabilities().contains(FilterCapability.OWN_MODEL)) {
        throw ModelStore.notStorable(choice.id());
      }
    }
  }

  /**
   * Run a request, and keep its state so that it can go on after it was cut off. It then ends with
   * the same model, bit by bit.
   *
   * @param request the request
   * @param catalog where plugins are found
   * @param listener is notified of all events
   * @param cancellation tells when to stop; members finished by then are kept
   * @param checkpoints where the state is kept, if it is
   * @return the result, to be closed by the caller
   */
  public static TrainingResult execute(
      TrainingRequest request,
      PluginCatalog catalog,
      RunListener listener,
      Cancellation cancellation,
      Optional<CheckpointRequest> checkpoints) {
    PreparedData data = prepare(request, catalog, listener, cancellation);
    try {
      return execute(
          request,
          data,
          EnumSet.of(Part.VALIDATION, Part.TEST),
          checkpoints,
          UnaryOperator.identity(),
          new UnfinishedRun(),
          data::close);
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, data);
      throw e;
    }
  }

  /**
   * Load the data of a request, after plugins and backend have been checked: a run that cannot
   * succeed fails before it reads data.
   *
   * @param request the request
   * @param catalog where plugins are found
   * @param listener is notified of all events
   * @param cancellation tells when to stop
   * @return the data, to be closed by the caller
   */
  public static PreparedData prepare(
      TrainingRequest request,
      PluginCatalog catalog,
      RunListener listener,
      Cancellation cancellation) {
    Workspace workspace = new Workspace(catalog, request.compute(), listener, cancellation);
    try {
      new TrainingRun(request, workspace).plan();
      workspace.lookForBackend();
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, workspace);
      throw e;
    }
    return PreparedData.load(request.data(), workspace);
  }

  /**
   * Run a request on data that is loaded already. The data's workspace has the resources.
   *
   * @param request the request, about the same ratings
   * @param data borrowed by the result
   * @param parts which parts the finished ensemble is measured on; no other part is looked at
   * @return the result, to be closed by the caller before the data
   */
  public static TrainingResult execute(
      TrainingRequest request, PreparedData data, Set<Part> parts) {
    return execute(request, data, parts, Optional.empty(), Optional.empty(), new UnfinishedRun());
  }

  /**
   * Run a request on data that is loaded already, with members from a library, and keep its state
   * so that it can go on after it was cut off.
   *
   * @param request the request, about the same ratings
   * @param data borrowed by the result
   * @param parts which parts the finished ensemble is measured on; no other part is looked at
   * @param checkpoints where the state is kept, if it is
   * @param library the folder in which trained members are kept and found, if there is one; it is
   *     created if it does not exist
   * @param unfinished receives a way to the members that are finished while the run goes on
   * @return the result, to be closed by the caller before the data
   */
  public static TrainingResult execute(
      TrainingRequest request,
      PreparedData data,
      Set<Part> parts,
      Optional<CheckpointRequest> checkpoints,
      Optional<Path> library,
      UnfinishedRun unfinished) {
    if (library.isEmpty()) {
      return execute(
          request, data, parts, checkpoints, UnaryOperator.identity(), unfinished, () -> {});
    }
    Workspace workspace = data.workspace();
    try (Checkpoint members = Checkpoint.open(library.get(), true, workspace.allocator())) {
      MemberLibrary kept =
          new MemberLibrary(members, RunIdentity.member(request, data), workspace.listener());
      return execute(
          request, data, parts, checkpoints, state -> state.with(kept), unfinished, () -> {});
    }
  }

  private static TrainingResult execute(
      TrainingRequest request,
      PreparedData data,
      Set<Part> parts,
      Optional<CheckpointRequest> checkpoints,
      UnaryOperator<ConstructionState> library,
      UnfinishedRun unfinished,
      Runnable release) {
    if (!request.data().equals(data.request())) {
      throw new IllegalArgumentException(
          "loaded were " + data.request() + ", but asked for are " + request.data());
    }
    TrainingRun run = new TrainingRun(request, data.workspace());
    Split split = data.split(request.split(), request.seed());
    BuildPlan plan = run.plan();
    if (checkpoints.isEmpty()) {
      ConstructionState none = ConstructionState.none();
      unfinished.begin(() -> run.unfinished(data, split, none));
      return run.run(plan, data, split, parts, none, library, release);
    }
    Checkpoint checkpoint = run.open(checkpoints.get(), data);
    try {
      ConstructionState kept =
          ConstructionState.in(checkpoint, checkpoints.get().sweeps(), data.workspace().listener());
      unfinished.begin(() -> run.unfinished(data, split, kept));
      return run.run(plan, data, split, parts, kept, library, release);
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, checkpoint);
      throw e;
    }
  }

  /** Open the checkpoint; if the run goes on, all that it depends on must be as it began. */
  private Checkpoint open(CheckpointRequest where, PreparedData data) {
    Checkpoint checkpoint = Checkpoint.open(where.folder(), where.resume(), workspace.allocator());
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
   * Return the description of the model in a folder if a request gave or would give it: that of a
   * run with the same options.
   *
   * @param place a folder, which need not exist
   */
  public static Optional<ModelDescription> stored(TrainingRequest request, Path place) {
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
   * Refuse a run whose plan cannot be trained on all data afterwards.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} and the remedy
   */
  public static void checkRefit(TrainingRequest request, PluginCatalog catalog) {
    EnsembleRequest ensemble = request.ensemble();
    if (!request.split().holdsOut()) {
      throw PecfException.badOption(
          "The split %s trains on all data already. Leave the refit out, or choose a split that"
              + " holds data out.",
          request.split());
    }
    if (catalog.alpha(ensemble.alpha()).usesValidation()) {
      throw PecfException.badOption(
          "The alpha strategy searches the validation cells, of which a refit on all data has none."
              + " Leave the refit out, or search the training cells.");
    }
    if (ensemble.chains() > 1 && ensemble.selects()) {
      throw PecfException.badOption(
          "With patience or fitted weights, chains may end with different members, which a refit"
              + " does not repeat. Leave these out, or use one chain.");
    }
  }

  /**
   * Train the plan of a measured run, with the members that it kept, on all of its data.
   *
   * @param kept which of the plan's members those are
   * @param weights their weights
   * @throws PecfException with {@link ErrorCode#CANCELLED} if the run is cancelled
   */
  static TrainingResult refit(
      TrainingRequest measured,
      List<Integer> kept,
      double[] weights,
      PreparedData data,
      ConstructionState state) {
    checkRefit(measured, data.workspace().catalog());
    EnsembleRequest ensemble = measured.ensemble();
    if (ensemble.selects()) {
      Map<String, String> chosen = new LinkedHashMap<>();
      chosen.put("patience", "0");
      chosen.put("rounds", Integer.toString(kept.size() - 1));
      if (ensemble.weights().fitted()) {
        chosen.put("weights", MemberWeights.of(weights).toString());
        List<ProviderChoice> filters = ensemble.filters();
        ensemble =
            ensemble.withFilters(kept.stream().map(k -> filters.get(k % filters.size())).toList());
      }
      ensemble = ensemble.with(chosen);
    }
    TrainingRequest request =
        measured
            .withProtocol(SplitRule.parse("none"), measured.evaluation())
            .withEnsemble(ensemble);
    TrainingRun run = new TrainingRun(request, data.workspace());
    Split all =
        request
            .split()
            .split(
                data.dataset(),
                new Seed(request.seed()).child("split"),
                data.workspace().allocator());
    TrainingResult result;
    try {
      data.workspace().listener().on(new RefitStarted(kept.size(), all.training().count()));
      result =
          run.run(
              run.plan(),
              data,
              all,
              Set.of(),
              state.apart("refit"),
              UnaryOperator.identity(),
              all::close);
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, all);
      throw e;
    }
    if (!result.complete()) {
      result.close();
      throw PecfException.cancelled();
    }
    return result;
  }

  private TrainingResult run(
      BuildPlan plan,
      PreparedData data,
      Split split,
      Set<Part> parts,
      ConstructionState kept,
      UnaryOperator<ConstructionState> library,
      Runnable release) {
    GridShape shape = data.dataset().shape();
    long estimated = requireMemory(plan, shape, split.positives(Part.TRAINING).count());
    Ensemble ensemble = null;
    try (ComputeSession session = workspace.open(shape)) {
      TrainingContext context =
          new TrainingContext(
              workspace.context(), session, new Seed(request.seed()).child("construction"));
      TrainingCells cells = TrainingCells.of(split, request.ensemble().confidence());
      if (workspace.compute().path() == ComputationPath.CORRECTED
          && workspace.compute().weightError() > 0) {
        plan.checkBackground(cells, session.fields());
      }
      Optional<Validation> validation =
          Optional.of(split.part(Part.VALIDATION))
              .filter(part -> part.positives().count() > 0)
              .map(part -> new Validation(part, request.ensemble().confidence()));
      BuildResult built =
          EnsembleBuilder.build(
              plan,
              request.ensemble().em(),
              request.ensemble().chains(),
              cells,
              validation,
              context,
              library.apply(kept));
      ensemble = built.ensemble();
      Map<Part, EvaluationReport> reports = new LinkedHashMap<>();
      boolean complete = built.complete() && evaluate(built, split, parts, session, reports);
      MemoryUse memory = new MemoryUse(estimated, workspace.allocator().getPeakMemoryAllocation());
      workspace.listener().on(memory);
      return new TrainingResult(
          request, data, split, built, reports, memory, complete, kept, release, Optional.empty());
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, ensemble);
      throw e;
    }
  }

  /** Return the result that a run would have if it were cancelled now, if it has any. */
  private Optional<TrainingResult> unfinished(
      PreparedData data, Split split, ConstructionState kept) {
    MemoryUse memory = new MemoryUse(0, workspace.allocator().getPeakMemoryAllocation());
    return kept.finished()
        .map(
            built ->
                new TrainingResult(
                    request,
                    data,
                    split,
                    built,
                    Map.of(),
                    memory,
                    false,
                    kept,
                    () -> {},
                    Optional.empty()));
  }

  private BuildPlan plan() {
    EnsembleRequest ensemble = request.ensemble();
    ensemble.construction().check(ensemble.weighting());
    PluginCatalog catalog = workspace.catalog();
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
        request.evaluation());
  }

  /** Refuse a training that cannot fit in memory, and return a bound on the memory it takes. */
  private long requireMemory(BuildPlan plan, GridShape shape, int positives) {
    // EM holds the components of two iterations at a time.
    long members =
        plan.construction() == Construction.EM
            ? 2L * request.ensemble().em().components()
            : plan.members();
    members *= request.ensemble().chains();
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
      BuildResult built,
      Split split,
      Set<Part> parts,
      ComputeSession session,
      Map<Part, EvaluationReport> reports) {
    try {
      // Of a single chain that was not cut short the session keeps the prediction already.
      Ensemble ensemble = built.ensemble();
      if (request.ensemble().chains() > 1
          || request.ensemble().patience() > 0
          || request.ensemble().construction().standardises()
          || request.ensemble().weights().kind() != MemberWeights.Kind.JOINED
          || request.ensemble().construction() == Construction.EM) {
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
                              request.evaluation(),
                              request.ensemble().confidence(),
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
