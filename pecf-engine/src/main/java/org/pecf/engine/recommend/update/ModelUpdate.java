package org.pecf.engine.recommend.update;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.util.AutoCloseables;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.field.PartMask;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.Seed;
import org.pecf.engine.construct.BuildPlan;
import org.pecf.engine.construct.BuildResult;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.construct.LoopCheckpoint;
import org.pecf.engine.construct.MemberWeights;
import org.pecf.engine.construct.ProgressiveLoop;
import org.pecf.engine.construct.TrainingCells;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.DatasetUnion;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.data.split.MeasuredPart;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.model.EngineVersion;
import org.pecf.engine.model.KnownCells;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.Workspace;

/**
 * A stored model that goes on learning: new positives, users and items enter by a few sweeps of
 * each member, which begin with its stored factors and weigh cells as in training. Members whose
 * filter cannot begin with a model, such as neighbourhoods, are trained anew on all positives. A
 * mixture keeps the weights of its members.
 *
 * <p>How much it gains is measured first. A fifth of the new positives of known users is held out;
 * the model as it was and a model updated with the rest are measured on it. The model that is kept
 * is then updated with all new positives.
 */
public final class ModelUpdate implements AutoCloseable {
  /** One of how many new positives is held out to measure the update. */
  private static final int HELD_OUT = 5;

  private final StoredModel old;
  private final TrainingRequest request;
  private final Workspace workspace;
  private final Dataset all;
  private final SparseCells alsoKnown;
  private final Ensemble updated;
  private final UpdateChange change;

  private ModelUpdate(
      StoredModel old,
      TrainingRequest request,
      Workspace workspace,
      Dataset all,
      SparseCells alsoKnown,
      Ensemble updated,
      UpdateChange change) {
    this.old = old;
    this.request = request;
    this.workspace = workspace;
    this.all = all;
    this.alsoKnown = alsoKnown;
    this.updated = updated;
    this.change = change;
  }

  /**
   * Update a model in memory.
   *
   * @param request the model and the new data
   * @param workspace the resources; it must be closed after the result
   * @return the updated model, to be saved and closed by the caller
   * @throws PecfException if the model cannot be updated, nothing is new, or the run is cancelled
   */
  public static ModelUpdate run(UpdateRequest request, Workspace workspace) {
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      StoredModel old = ModelStore.open(request.model(), workspace.allocator());
      opened.add(old);
      TrainingRequest recorded = RequestJson.read(old.description().request());
      List<BuildPlan.NamedFilter> filters = filters(old, recorded, request.sweeps(), workspace);
      Dataset all;
      try (Dataset added = workspace.load(request.data())) {
        all = DatasetUnion.of(old.users(), old.items(), old.training(), added, workspace.context());
        opened.add(all);
        SparseCells alsoKnown = alsoKnown(old, added, all, workspace.allocator());
        opened.add(alsoKnown);
        return new Update(old, recorded, filters, all, workspace).run(alsoKnown);
      }
    } catch (RuntimeException | Error e) {
      for (int k = opened.size() - 1; k >= 0; k--) {
        AutoCloseables.close(e, opened.get(k));
      }
      throw e;
    }
  }

  /** Return the filter of each member: with fewer sweeps where it goes on from its model. */
  private static List<BuildPlan.NamedFilter> filters(
      StoredModel old, TrainingRequest recorded, int sweeps, Workspace workspace) {
    EnsembleRequest ensemble = recorded.ensemble();
    List<ProviderChoice> choices = ensemble.filters();
    int members = old.ensemble().size();
    if (ensemble.construction() == Construction.EM
        || ensemble.chains() > 1
        || isMixture(ensemble) && choices.size() != members) {
      throw PecfException.badModel(
          "A mixture by EM, an average of chains or an ensemble that dropped members when their"
              + " weights were fitted cannot be updated member by member. Train a new model on all"
              + " data.");
    }
    List<BuildPlan.NamedFilter> filters = new ArrayList<>();
    for (int k = 0; k < members; k++) {
      Member member = old.ensemble().members().get(k);
      ProviderChoice choice = choices.get(k % choices.size());
      if (!choice.id().equals(member.filterId())) {
        throw PecfException.badModel(
            "Member %d was trained by filter %s, not by %s as the model's options say. Train a new"
                + " model on all data.",
            k + 1, member.filterId(), choice.id());
      }
      boolean warm = isWarm(member, workspace.catalog().filter(choice));
      if (warm && choice.options().containsKey("iterations")) {
        choice = choice.with("iterations", Integer.toString(sweeps));
      }
      filters.add(
          new BuildPlan.NamedFilter(
              choice.id(),
              workspace.catalog().filter(choice),
              choice.id(),
              Optional.of(ensemble.confidence(choice))
                  .filter(own -> !own.equals(ensemble.confidence()))));
    }
    return filters;
  }

  /** Return whether the members of an ensemble have weights that do not follow from the rounds. */
  private static boolean isMixture(EnsembleRequest ensemble) {
    return ensemble.construction().standardises()
        || ensemble.weights().kind() != MemberWeights.Kind.JOINED;
  }

  private static boolean isWarm(Member member, BaseFilter filter) {
    return member.model() instanceof FactorModel
        && filter.capabilities().contains(FilterCapability.WARM_START);
  }

  /** Return the cells that are known but no positives, of the model and of the new data. */
  private static SparseCells alsoKnown(
      StoredModel old, Dataset added, Dataset all, BufferAllocator allocator) {
    List<SparseCells> known = new ArrayList<>();
    try {
      known.add(moved(old.alsoKnown(), old.users(), old.items(), all, allocator));
      if (added.negatives().isPresent()) {
        known.add(moved(added.negatives().get(), added.users(), added.items(), all, allocator));
      }
      return KnownCells.of(known, all.positives(), allocator);
    } finally {
      known.forEach(SparseCells::close);
    }
  }

  /** Return the same cells on a grid with more ids; those of unknown ids are left out. */
  private static SparseCells moved(
      SparseCells cells, IdMap users, IdMap items, Dataset to, BufferAllocator allocator) {
    int[] userOf = DatasetUnion.indexes(users, to.users());
    int[] itemOf = DatasetUnion.indexes(items, to.items());
    // Ids ascend in both maps, so the order of cells stays.
    int[] cellUsers = new int[cells.count()];
    int[] cellItems = new int[cells.count()];
    int count = 0;
    for (int user = 0; user < cells.users(); user++) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        if (userOf[user] >= 0 && itemOf[cells.itemAt(k)] >= 0) {
          cellUsers[count] = userOf[user];
          cellItems[count++] = itemOf[cells.itemAt(k)];
        }
      }
    }
    return SparseCells.ofSorted(
        allocator, to.users().size(), to.items().size(), count, cellUsers, cellItems);
  }

  /** The trainings of one update. */
  private record Update(
      StoredModel old,
      TrainingRequest recorded,
      List<BuildPlan.NamedFilter> filters,
      Dataset all,
      Workspace workspace) {
    ModelUpdate run(SparseCells alsoKnown) {
      GridShape shape = all.shape();
      try (ComputeSession session = workspace.open(shape);
          Ensemble start = start()) {
        Map<String, Double> before = Map.of();
        Map<String, Double> after = Map.of();
        int heldOutCount;
        try (SparseCells training = part(false);
            SparseCells heldOut = part(true)) {
          heldOutCount = heldOut.count();
          if (heldOutCount > 0) {
            before = measure(start, training, heldOut, session);
            try (Ensemble measured = train(start, training, session)) {
              after = measure(measured, training, heldOut, session);
            }
          }
        }
        Ensemble updated = train(start, all.positives(), session);
        GridShape had = old.ensemble().shape();
        UpdateChange change =
            new UpdateChange(
                had.users(),
                had.items(),
                old.training().count(),
                shape.users() - had.users(),
                shape.items() - had.items(),
                all.positives().count() - old.training().count(),
                Arrays.stream(DatasetUnion.indexes(old.users(), all.users()))
                        .map(all.positives()::userCount)
                        .sum()
                    - old.training().count(),
                heldOutCount,
                before,
                after);
        return new ModelUpdate(old, recorded, workspace, all, alsoKnown, updated, change);
      }
    }

    /** Return the stored members on the new grid; rows that they do not have are zero. */
    private Ensemble start() {
      int[] userOf = DatasetUnion.indexes(old.users(), all.users());
      int[] itemOf = DatasetUnion.indexes(old.items(), all.items());
      Ensemble start = new Ensemble(all.shape());
      try {
        for (Member member : old.ensemble().members()) {
          start.add(
              moved(member.model(), userOf, itemOf),
              member.filterId(),
              member.combination(),
              member.alpha(),
              Optional.empty());
        }
        return start;
      } catch (RuntimeException | Error e) {
        start.close();
        throw e;
      }
    }

    /** Return a model on the new grid; rows that it does not have are empty. */
    private ScoreModel moved(ScoreModel model, int[] userOf, int[] itemOf) {
      BufferAllocator allocator = workspace.allocator();
      if (model instanceof FactorModel stored) {
        FactorModel moved =
            FactorModel.allocate(allocator, all.shape(), stored.rank()).withRules(stored.rules());
        copy(stored.side(Side.USERS), userOf, moved.side(Side.USERS));
        copy(stored.side(Side.ITEMS), itemOf, moved.side(Side.ITEMS));
        return moved;
      }
      SparseProductModel stored = (SparseProductModel) model;
      boolean overUsers = stored.inner() == Side.USERS;
      int inner = overUsers ? all.shape().users() : all.shape().items();
      int[] innerOf = overUsers ? userOf : itemOf;
      SparseMatrix left = moved(stored.left(), userOf, innerOf, all.shape().users(), inner);
      try {
        return new SparseProductModel(
            stored.inner(),
            left,
            moved(stored.right(), innerOf, itemOf, inner, all.shape().items()),
            stored.intercept(),
            stored.newUsers());
      } catch (RuntimeException | Error e) {
        left.close();
        throw e;
      }
    }

    /** Return a matrix with more rows and columns, in which those of before stand further on. */
    private SparseMatrix moved(
        SparseMatrix from, int[] rowOf, int[] columnOf, int rows, int columns) {
      int longest = 0;
      for (int row = 0; row < from.rows(); row++) {
        longest = Math.max(longest, from.rowStart(row + 1) - from.rowStart(row));
      }
      int[] entryColumns = new int[longest];
      float[] values = new float[longest];
      try (SparseMatrix.Builder builder =
          SparseMatrix.Builder.ofRows(workspace.allocator(), rows, columns, longest)) {
        for (int row = 0; row < from.rows(); row++) {
          int start = from.rowStart(row);
          int count = from.rowStart(row + 1) - start;
          // Ids ascend in both maps, so the order of columns stays.
          for (int k = 0; k < count; k++) {
            entryColumns[k] = columnOf[from.columnAt(start + k)];
            values[k] = from.valueAt(start + k);
          }
          builder.setRow(rowOf[row], count, entryColumns, values);
        }
        return builder.build();
      }
    }

    private static void copy(FloatMatrix from, int[] indexes, FloatMatrix to) {
      float[] row = new float[from.columns()];
      for (int k = 0; k < indexes.length; k++) {
        from.readRow(k, row);
        to.writeRows(indexes[k], 1, row);
      }
    }

    /** Return the new positives that are held out, or all other positives. */
    private SparseCells part(boolean heldOut) {
      PartMask mask =
          PartMask.slice(new Seed(recorded.seed()).child("update").value(), 0, 1, HELD_OUT);
      int[] knownUser = DatasetUnion.indexes(all.users(), old.users());
      SparseCells positives = all.positives();
      int[] users = new int[positives.count()];
      int[] items = new int[positives.count()];
      int count = 0;
      for (int user = 0; user < positives.users(); user++) {
        for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
          int item = positives.itemAt(k);
          boolean isNew = all.parts().orElseThrow().get(k) == Part.TEST.ordinal();
          boolean held = isNew && knownUser[user] >= 0 && mask.valueAt(user, item) > 0;
          if (held == heldOut) {
            users[count] = user;
            items[count++] = item;
          }
        }
      }
      return SparseCells.ofSorted(
          workspace.allocator(), positives.users(), positives.items(), count, users, items);
    }

    private Map<String, Double> measure(
        Ensemble ensemble, SparseCells training, SparseCells heldOut, ComputeSession session) {
      EvaluationRequest evaluation =
          EvaluationRequest.SCHEMA.with(
              "",
              recorded.evaluation(),
              Map.of("candidates", CandidatePolicy.usual(recorded.split()).id()));
      return Evaluator.evaluate(
              ensemble.prediction(),
              new MeasuredPart(Part.TEST, heldOut, List.of(training), Optional.empty()),
              Metrics.of(evaluation, workspace.catalog()),
              recorded.ensemble().confidence(),
              session,
              workspace.cancellation())
          .named();
    }

    private Ensemble train(Ensemble start, SparseCells positives, ComputeSession session) {
      EnsembleRequest ensemble = recorded.ensemble();
      List<BuildPlan.NamedFilter> warm = new ArrayList<>();
      for (int k = 0; k < start.size(); k++) {
        Member member = start.members().get(k);
        BuildPlan.NamedFilter named = filters.get(k);
        warm.add(
            isWarm(member, named.filter())
                ? new BuildPlan.NamedFilter(
                    named.id(),
                    new WarmFilter(named.filter(), member.model()),
                    named.settings(),
                    named.confidence())
                : named);
      }
      MemberWeights weights =
          isMixture(ensemble) ? MemberWeights.of(start.weights()) : MemberWeights.JOINED;
      BuildPlan plan =
          new BuildPlan(
              ensemble.construction(),
              warm,
              workspace.catalog().weighting(ensemble.weighting()),
              workspace.catalog().alpha(ensemble.alpha()),
              start.size() - 1,
              0,
              weights,
              ensemble.selection(),
              Metrics.of(recorded.evaluation(), workspace.catalog()));
      TrainingContext context =
          new TrainingContext(
              workspace.context(), session, new Seed(recorded.seed()).child("construction"));
      BuildResult result =
          ProgressiveLoop.build(
              plan,
              new TrainingCells(positives, Optional.empty(), ensemble.confidence()),
              Optional.empty(),
              context,
              LoopCheckpoint.none());
      if (!result.complete()) {
        result.ensemble().close();
        throw PecfException.cancelled();
      }
      return result.ensemble();
    }
  }

  /** Return the changes. */
  public UpdateChange change() {
    return change;
  }

  /** Return the metric by which updates are judged: that of the model's own training. */
  public String metric() {
    return request.ensemble().selection().toString();
  }

  /**
   * Save the updated model.
   *
   * @param place the folder of the model
   * @param overwrite whether a model at the place is replaced
   * @param created the time to record
   */
  public void save(Path place, boolean overwrite, Instant created) {
    ModelDescription was = old.description();
    // A view of what this update owns: it is not closed.
    StoredModel model =
        new StoredModel(
            updated,
            all.users(),
            all.items(),
            all.positives(),
            alsoKnown,
            new ModelDescription(
                EngineVersion.number(),
                created,
                was.complete(),
                was.seed(),
                all.fingerprint(),
                was.request(),
                was.plugins(),
                was.metrics(),
                was.metricsOf().equals(ModelDescription.THIS_MODEL)
                    ? "the model before it was updated with new data"
                    : was.metricsOf()));
    ModelStore.save(place, model, overwrite, workspace.allocator());
  }

  @Override
  public void close() {
    updated.close();
    alsoKnown.close();
    all.close();
    old.close();
  }
}
