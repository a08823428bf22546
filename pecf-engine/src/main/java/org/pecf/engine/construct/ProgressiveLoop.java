package org.pecf.engine.construct;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.ensemble.AlphaStep;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.construct.ConstructionEvent.MemberRepeated;
import org.pecf.engine.construct.ConstructionEvent.MemberStarted;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.plugin.PluginCatalog;

/**
 * The progressive construction: an ensemble f grown one filter at a time. PECF, bagging, L2Boost
 * and boosted PECF are this loop.
 *
 * <p>The first filter fits the ratings r with the confidences c. Each round then weighs the cells
 * by how badly f predicts them, trains a filter g on them, chooses alpha, and replaces f by {@code
 * (1 - alpha) f + alpha g}, or by {@code f + alpha g} where filters fit residuals: see {@link
 * #grow()}.
 */
public final class ProgressiveLoop {
  /** The number of cells on which members are compared. */
  private static final int COMPARED = 1000;

  private final BuildPlan plan;
  private final TrainingCells cells;
  private final Optional<Validation> validation;
  private final TrainingContext context;
  private final LoopCheckpoint kept;
  private final MemberTraining training;
  private final Ensemble ensemble;

  private ProgressiveLoop(
      BuildPlan plan,
      TrainingCells cells,
      Optional<Validation> validation,
      TrainingContext context,
      LoopCheckpoint kept) {
    this.plan = plan;
    this.cells = cells;
    this.validation = validation;
    this.context = context;
    this.kept = kept;
    this.training = new MemberTraining(cells, context, kept);
    this.ensemble = new Ensemble(cells.shape());
  }

  /**
   * Grow an ensemble.
   *
   * @param cells the cells that members learn from
   * @param validation the part that rounds are measured on, if there is one; the ensemble depends
   *     on it only where the plan has patience or an alpha strategy that uses it
   * @param kept where the members are kept, and found if the run goes on
   */
  public static BuildResult build(
      BuildPlan plan,
      TrainingCells cells,
      Optional<Validation> validation,
      TrainingContext context,
      LoopCheckpoint kept) {
    plan.checkValidation(validation.isPresent());
    ProgressiveLoop loop = new ProgressiveLoop(plan, cells, validation, context, kept);
    try {
      return loop.run();
    } catch (RuntimeException | Error e) {
      loop.ensemble.close();
      throw e;
    }
  }

  /** Add a member: one round of the method. Return its alpha. */
  private double grow() {
    EnsembleState f = state();
    CellField weights = weights(f);
    CellField targets = targets(f);
    ScoreModel g = train(f, weights, targets);
    reportTwin(g);
    double alpha = alpha(f, g);
    join(g, alpha, Optional.of(fit(f, weights)));
    return alpha;
  }

  private void join(ScoreModel g, double alpha, Optional<MemberFit> fit) {
    Combination combination = ensemble.size() == 0 ? Combination.CONVEX : combination();
    ensemble.add(g, filter(), combination, alpha, fit);
  }

  /** Return how the next member is fitted, for rows that come later. */
  private MemberFit fit(EnsembleState f, CellField weights) {
    return MemberFit.of(
        confidence(),
        WeightRule.of(weights, f),
        f.members() > 0 && plan.construction().fitsResiduals(),
        Arrays.stream(ensemble.weights()).boxed().toList());
  }

  /** Run rounds until the plan is fulfilled, patience ends, or the run is cancelled. */
  private BuildResult run() {
    RoundHistory history = new RoundHistory(plan);
    boolean complete = true;
    try {
      resume(history);
      while (ensemble.size() < plan.members() && !history.exhausted()) {
        round(history);
      }
    } catch (PecfException e) {
      if (e.code() != ErrorCode.CANCELLED || ensemble.size() == 0) {
        throw e;
      }
      complete = false;
    }
    ensemble.truncate(size(history));
    Completion completion = new Completion(plan, validation, context);
    if (completion.isNeeded() && complete) {
      return completion.of(ensemble, history.rounds());
    }
    return BuildResult.ofFirst(
        ensemble, history.rounds(), history.validation(ensemble.size()), complete);
  }

  /** Return the number of members that the ensemble has if this round was its last. */
  private int size(RoundHistory history) {
    return plan.patience() > 0 && validation.isPresent()
        ? Math.min(history.best(), ensemble.size())
        : ensemble.size();
  }

  /** Run one round: announce it, add a member, measure the ensemble. */
  private void round(RoundHistory history) {
    long start = System.nanoTime();
    int number = ensemble.size() + 1;
    String filter = filter();
    context.run().listener().on(new MemberStarted(number, plan.members(), filter));
    double alpha = grow();
    keep();
    Optional<EvaluationReport> report = validation.map(this::measure);
    MemberFinished finished =
        new MemberFinished(
            number,
            plan.members(),
            filter,
            alpha,
            training.report().lastStep(),
            training.report().plans(),
            report.map(EvaluationReport::named).orElse(Map.of()),
            (System.nanoTime() - start) / 1e9);
    history.add(finished, report);
    kept.finished(ensemble.first(size(history)), history.rounds());
    List<Member> members = ensemble.members();
    kept.save(
        new Rounds(history.rounds()),
        members.stream().map(Member::model).toList(),
        members.stream().map(Member::fit).toList());
    context.run().listener().on(finished);
  }

  /**
   * The rounds of a run that goes on later.
   *
   * @param rounds one event per member
   */
  public record Rounds(List<MemberFinished> rounds) {
    static final Rounds NONE = new Rounds(List.of());
  }

  /** Let the members of a run that was cut off join as they did then. */
  private void resume(RoundHistory history) {
    Rounds done = kept.restore(Rounds.class).orElse(Rounds.NONE);
    for (MemberFinished round : done.rounds()) {
      int member = ensemble.size();
      kept.resumed(
          () -> {
            ScoreModel model = kept.model(member);
            try {
              join(model, round.alpha(), kept.fit(member));
            } catch (RuntimeException e) {
              model.close();
              throw e;
            }
            return model;
          });
      keep();
      history.add(round, Optional.empty());
      kept.finished(ensemble.first(size(history)), history.rounds());
      context.run().listener().on(round);
    }
  }

  /**
   * Announce the prediction: the metrics need its values now, the next weights and line search
   * later. Of the last member that is not measured nobody needs them.
   */
  private void keep() {
    boolean needed = validation.isPresent() || ensemble.size() < plan.members();
    if (needed && !plan.construction().standardises()) {
      context.compute().keep(ensemble.prediction());
    }
  }

  /** Measure the ensemble, or the new member where members of any scale are mixed in the end. */
  private EvaluationReport measure(Validation part) {
    CellField measured =
        plan.construction().standardises()
            ? CellField.score(ensemble.members().get(ensemble.size() - 1).model())
            : ensemble.prediction();
    return part.measure(measured, plan.metrics(), context.compute(), context.run().cancellation());
  }

  private EnsembleState state() {
    return new EnsembleState(
        ensemble.size(),
        cells.shape(),
        cells.positives(),
        cells.with(confidence()).weights(),
        cells.ratings(),
        ensemble.size() == 0 ? CellField.constant(0) : ensemble.prediction());
  }

  /** Return c for the first member, then the weights that the scheme chooses. */
  private CellField weights(EnsembleState f) {
    return plan.reweighs(f.members()) ? plan.weighting().weights(f, kernels()) : f.confidence();
  }

  /** Return c of positives and zeros for the next member. */
  private Confidence confidence() {
    return plan.filterOf(ensemble.size()).confidence().orElse(cells.confidence());
  }

  /** Return r, or r - f where members fit residuals. */
  private CellField targets(EnsembleState f) {
    return f.members() > 0 && plan.construction().fitsResiduals() ? f.error() : f.ratings();
  }

  /**
   * Train the next filter. A failure for bad weights is blamed on the scheme that chose them, not
   * on the filter or the backend.
   */
  private ScoreModel train(EnsembleState f, CellField weights, CellField targets) {
    int member = ensemble.size();
    Seed seed = plan.seedOf(member, context.seed());
    boolean plain = weights.equals(f.confidence()) && targets.equals(f.ratings());
    WeightInspection inspection =
        new WeightInspection(
            PluginCatalog.nameOf(plan.weighting(), "The weighting scheme"),
            weights,
            cells.positives());
    if (member > 0) {
      inspection.few();
    }
    try {
      String label = "member-" + (member + 1);
      return plain
          ? training.find(plan.filterOf(member), label, seed, f.confidence(), confidence())
          : training.train(plan.filterOf(member), label, seed, weights, targets, Optional.empty());
    } catch (PecfException e) {
      if (member > 0 && (e.code() == ErrorCode.BAD_OPTION || e.code() == ErrorCode.PLUGIN_FAULT)) {
        inspection.many();
      }
      throw e;
    }
  }

  /**
   * Return 1 for the first member, then the alpha that the strategy chooses; g is closed if it
   * fails.
   */
  private double alpha(EnsembleState f, ScoreModel g) {
    if (f.members() == 0) {
      return 1;
    }
    try {
      double alpha = plan.alpha().alpha(step(f, CellField.score(g)), kernels());
      if (!(alpha >= 0 && alpha <= 1)) {
        throw PecfException.pluginFault(
            "%s chose %s, not between 0 and 1. Tell its author.",
            PluginCatalog.nameOf(plan.alpha(), "The alpha strategy"), alpha);
      }
      return alpha;
    } catch (RuntimeException | Error e) {
      g.close();
      throw e;
    }
  }

  /** Tell if a member is the same as the last one of its filter, so that it adds nothing. */
  private void reportTwin(ScoreModel g) {
    int k = ensemble.size() - 1;
    while (k >= 0 && !ensemble.members().get(k).filterId().equals(filter())) {
      k--;
    }
    if (k >= 0
        && g instanceof FactorModel factors
        && ensemble.members().get(k).model() instanceof FactorModel earlier
        && same(CellField.score(earlier), CellField.score(factors))) {
      context.run().listener().on(new MemberRepeated(ensemble.size() + 1, k + 1, filter()));
    }
  }

  /** Return whether two models agree on some positives and on the cells beside them. */
  private boolean same(CellField one, CellField other) {
    SparseCells positives = cells.positives();
    int step = Math.max(1, positives.count() / COMPARED);
    int user = 0;
    for (int position = 0; position < positives.count(); position += step) {
      while (positives.userStart(user + 1) <= position) {
        user++;
      }
      for (int item : new int[] {positives.itemAt(position), position % positives.items()}) {
        if (one.valueAt(user, item) != other.valueAt(user, item)) {
          return false;
        }
      }
    }
    return true;
  }

  private AlphaStep step(EnsembleState f, CellField g) {
    boolean validated = plan.alpha().usesValidation();
    CellField weights = validated ? validation.orElseThrow().weights() : f.confidence();
    CellField ratings = validated ? validation.orElseThrow().ratings() : f.ratings();
    CellField direction =
        combination() == Combination.CONVEX ? CellField.difference(g, f.prediction()) : g;
    return new AlphaStep(
        f.members(), weights, CellField.difference(ratings, f.prediction()), direction);
  }

  private String filter() {
    return plan.filterOf(ensemble.size()).id();
  }

  private Combination combination() {
    return plan.construction().combination();
  }

  private FieldKernels kernels() {
    return context.compute().fields();
  }
}
