package org.pecf.engine.construct;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.util.AutoCloseables;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.Checkpoints;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.plugin.PluginCatalog;

/**
 * The training of single members, each in an allocator of its own, which reveals memory that a
 * filter does not release.
 */
final class MemberTraining {
  private final TrainingCells cells;
  private final TrainingContext context;
  private final LoopCheckpoint state;
  private MemberLibrary.Report report = MemberLibrary.Report.NONE;

  MemberTraining(TrainingCells cells, TrainingContext context, LoopCheckpoint state) {
    this.cells = cells;
    this.context = context;
    this.state = state;
  }

  /** Return the account of the last training, or of that of a member found in the library. */
  MemberLibrary.Report report() {
    return report;
  }

  /**
   * Find a member of plain weights and ratings in the library, or train it and keep it there.
   *
   * @param label the name of the member in messages and checkpoints
   * @param weights the confidences as they are
   * @return the model, owned by the context's allocator
   */
  ScoreModel find(
      BuildPlan.NamedFilter named,
      String label,
      Seed seed,
      CellField weights,
      Confidence confidence) {
    Map<String, String> depends =
        Map.of(
            "filter", named.settings(),
            "confidence", confidence.toString(),
            "seed", Long.toString(seed.value()));
    Optional<MemberLibrary.Found> found =
        state.library().flatMap(library -> library.find(named.id(), depends));
    if (found.isPresent()) {
      ScoreModel model = found.get().model();
      if (!model.shape().equals(cells.shape())) {
        model.close();
        throw PecfException.badModel(
            "A member of filter %s in the library is of %s, but the data of %s. Delete the"
                + " library.",
            named.id(), model.shape(), cells.shape());
      }
      report = found.get().report();
      return model;
    }
    ScoreModel trained = train(named, label, seed, weights, cells.ratings(), Optional.empty());
    if (!trainsOwnKind(named)) {
      state.library().ifPresent(library -> library.keep(depends, trained, report));
    }
    return trained;
  }

  /**
   * Train a member.
   *
   * @param label the name of the member in messages and checkpoints
   * @return the model, owned by the context's allocator
   */
  ScoreModel train(
      BuildPlan.NamedFilter named,
      String label,
      Seed seed,
      CellField weights,
      CellField targets,
      Optional<ScoreModel> start) {
    BufferAllocator allocator =
        context.run().allocator().newChildAllocator(label, 0, context.run().allocator().getLimit());
    report = MemberLibrary.Report.NONE;
    try {
      TrainingTask task =
          new TrainingTask(cells.shape(), cells.positives(), weights, targets, start);
      TrainingContext lent =
          new TrainingContext(
              new RunContext(
                  allocator, context.run().parallelism(), context.run().cancellation(), this::hear),
              new HeardSession(context.compute()),
              seed,
              named.filter().capabilities().contains(FilterCapability.RESUMABLE)
                  ? state.member(label)
                  : Checkpoints.none());
      ScoreModel kept =
          new TrainedModel(name(named), trainsOwnKind(named), train(named, task, lent))
              .takeOver(cells.shape(), context.run());
      long forgotten = allocator.getAllocatedMemory();
      if (forgotten > 0) {
        kept.close();
        throw PecfException.pluginFault(
            "%s did not release %s bytes of its working memory. Tell its author.",
            name(named), forgotten);
      }
      allocator.close();
      return kept;
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, allocator);
      throw e;
    }
  }

  private void hear(RunEvent event) {
    if (event instanceof TrainingStep step) {
      report = new MemberLibrary.Report(Optional.of(step), report.plans());
    }
    context.run().listener().on(event);
  }

  private static boolean trainsOwnKind(BuildPlan.NamedFilter named) {
    return named.filter().capabilities().contains(FilterCapability.OWN_MODEL);
  }

  private static String name(BuildPlan.NamedFilter named) {
    return PluginCatalog.nameOf(named.filter(), "filter " + named.id());
  }

  /** Train, and name the filter in advice on options, which may come from the backend. */
  private static ScoreModel train(
      BuildPlan.NamedFilter named, TrainingTask task, TrainingContext lent) {
    try {
      return named.filter().train(task, lent);
    } catch (PecfException e) {
      String filter = "Filter " + named.id();
      if (e.code() == ErrorCode.BAD_OPTION && !e.getMessage().contains("ilter " + named.id())) {
        throw PecfException.of(e.code(), "%s: %s", filter, e.getMessage()).causedBy(e);
      }
      throw e;
    }
  }

  /** The run's session, of whose plans the account is kept. */
  private final class HeardSession implements ComputeSession {
    private final ComputeSession session;

    HeardSession(ComputeSession session) {
      this.session = session;
    }

    @Override
    public LeastSquares leastSquares(LeastSquaresRequest request) {
      LeastSquares problem = session.leastSquares(request);
      List<LeastSquaresPlan> plans = new ArrayList<>(report.plans());
      plans.add(problem.plan());
      report = new MemberLibrary.Report(report.lastStep(), plans);
      return problem;
    }

    @Override
    public FieldKernels fields() {
      return session.fields();
    }

    @Override
    public MatrixKernels matrices() {
      return session.matrices();
    }

    @Override
    public PairwiseSgd pairwise(PairwiseRequest request) {
      return session.pairwise(request);
    }

    @Override
    public RankedItems rank(RankingRequest request) {
      return session.rank(request);
    }

    @Override
    public void keep(CellField scores) {
      session.keep(scores);
    }

    @Override
    public void close() {
      throw new IllegalStateException("the session is lent: it cannot be closed");
    }
  }
}
