package org.pecf.engine.construct;

import java.util.ArrayList;
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
import org.pecf.api.memory.ScoreModel;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.evaluate.Metric;
import org.pecf.engine.plugin.PluginCatalog;

/**
 * Grow an ensemble one filter at a time: PECF, bagging, L2Boost and boosted PECF are this loop.
 *
 * <p>f = a filter of ratings r with confidences c; then, round by round, weigh the cells by what f
 * predicts, train g on them, choose alpha, and let f become (1 - alpha) f + alpha g, or f + alpha
 * g.
 */
public final class ProgressiveLoop {
  private final BuildPlan plan;
  private final TrainingCells cells;
  private final Optional<Validation> validation;
  private final TrainingContext context;
  private final MemberTraining training;
  private final Ensemble ensemble;
  private final List<MemberFinished> rounds = new ArrayList<>();

  private ProgressiveLoop(
      BuildPlan plan,
      TrainingCells cells,
      Optional<Validation> validation,
      TrainingContext context) {
    this.plan = plan;
    this.cells = cells;
    this.validation = validation;
    this.context = context;
    this.training = new MemberTraining(cells, context);
    this.ensemble = new Ensemble(cells.shape());
  }

  /**
   * Grow an ensemble.
   *
   * @param cells what members learn from
   * @param validation what rounds are measured on, if there is such a part; the ensemble depends on
   *     it only where the plan has patience or an alpha strategy that uses it
   */
  public static BuildResult build(
      BuildPlan plan,
      TrainingCells cells,
      Optional<Validation> validation,
      TrainingContext context) {
    plan.checkValidation(validation.isPresent());
    ProgressiveLoop loop = new ProgressiveLoop(plan, cells, validation, context);
    try {
      return loop.run();
    } catch (RuntimeException | Error e) {
      loop.ensemble.close();
      throw e;
    }
  }

  private BuildResult run() {
    boolean complete = true;
    int best = 0;
    try {
      for (int member = 0; member < plan.members(); member++) {
        grow();
        if (better(member, best)) {
          best = member;
        }
        if (plan.patience() > 0 && member - best >= plan.patience()) {
          break;
        }
      }
    } catch (PecfException e) {
      if (e.code() != ErrorCode.CANCELLED || ensemble.size() == 0) {
        throw e;
      }
      complete = false;
    }
    if (plan.patience() > 0 && validation.isPresent()) {
      ensemble.truncate(Math.min(best + 1, ensemble.size()));
    }
    return new BuildResult(ensemble, rounds, complete);
  }

  /** Add one member. */
  private void grow() {
    long start = System.nanoTime();
    int member = ensemble.size();
    String filter = plan.filterOf(member).id();
    context.run().listener().on(new MemberStarted(member + 1, plan.members(), filter));
    CellField confidence = cells.weights();
    CellField ratings = cells.ratings();
    double alpha = 1;
    ScoreModel model;
    if (member == 0) {
      model = train(member, confidence, ratings);
    } else {
      CellField prediction = ensemble.prediction();
      EnsembleState state = new EnsembleState(member, confidence, ratings, prediction);
      CellField weights = plan.weighting().weights(state, kernels());
      CellField targets = plan.construction().fitsResiduals() ? state.error() : ratings;
      model = trainReweighted(member, weights, targets);
      try {
        alpha = alpha(member, prediction, CellField.score(model));
      } catch (RuntimeException | Error e) {
        model.close();
        throw e;
      }
    }
    ensemble.add(
        model, filter, member == 0 ? Combination.CONVEX : plan.construction().combination(), alpha);
    // Its values are wanted by the metrics now, by the weights and the line search next.
    context.compute().keep(ensemble.prediction());
    Map<String, Double> figures = validate();
    MemberFinished finished =
        new MemberFinished(
            member + 1, plan.members(), filter, alpha, figures, (System.nanoTime() - start) / 1e9);
    rounds.add(finished);
    context.run().listener().on(finished);
  }

  private double alpha(int members, CellField prediction, CellField candidate) {
    CellField direction =
        plan.construction().combination() == Combination.CONVEX
            ? CellField.difference(candidate, prediction)
            : candidate;
    boolean validated = plan.alpha().usesValidation();
    CellField weights = validated ? validation.orElseThrow().weights() : cells.weights();
    CellField ratings = validated ? validation.orElseThrow().ratings() : cells.ratings();
    AlphaStep step =
        new AlphaStep(members, weights, CellField.difference(ratings, prediction), direction);
    double alpha = plan.alpha().alpha(step, kernels());
    if (!(alpha >= 0 && alpha <= 1)) {
      throw PecfException.pluginFault(
          "%s chose %s, not between 0 and 1. Tell its author.",
          PluginCatalog.nameOf(plan.alpha(), "the alpha strategy"), alpha);
    }
    return alpha;
  }

  /** Train on weights that a scheme chose: what they spoil is nobody else's fault. */
  private ScoreModel trainReweighted(int member, CellField weights, CellField targets) {
    WeightInspection inspection =
        new WeightInspection(
            PluginCatalog.nameOf(plan.weighting(), "the weighting scheme"),
            weights,
            cells.positives());
    inspection.few();
    try {
      return train(member, weights, targets);
    } catch (PecfException e) {
      if (e.code() == ErrorCode.BAD_OPTION || e.code() == ErrorCode.PLUGIN_FAULT) {
        inspection.many();
      }
      throw e;
    }
  }

  private ScoreModel train(int member, CellField weights, CellField targets) {
    return training.train(
        plan.filterOf(member),
        "member-" + (member + 1),
        context.seed().child("member", member),
        weights,
        targets,
        Optional.empty());
  }

  private Map<String, Double> validate() {
    return validation.isPresent()
        ? validation
            .get()
            .measure(
                ensemble.prediction(),
                plan.evaluation(),
                context.compute(),
                context.run().cancellation())
        : Map.of();
  }

  private boolean better(int member, int best) {
    if (member == best || validation.isEmpty()) {
      return true;
    }
    Metric metric = plan.selection().metric();
    String key = plan.selection().toString();
    return metric.better(
        rounds.get(member).validation().get(key), rounds.get(best).validation().get(key));
  }

  private FieldKernels kernels() {
    return context.compute().fields();
  }
}
