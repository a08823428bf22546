package org.pecf.engine.construct;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Mixture;
import org.pecf.api.field.MixtureLogDensity;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Responsibility;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.memory.ScoreModel;
import org.pecf.engine.construct.ConstructionEvent.EmIteration;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.construct.ConstructionEvent.MemberStarted;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;

/**
 * A mixture of K filters fitted by expectation maximisation.
 *
 * <p>E: {@code q_k = pi_k N(r; f_k, s^2) / sum_l pi_l N(r; f_l, s^2)}. M: train f_k on weights K c
 * q_k from its current factors, {@code pi_k ~ sum c q_k}. With s fixed, {@code sum c log sum_k pi_k
 * N(r; f_k, s^2) - penalty / (2 K s^2)} never falls. The prediction is {@code sum pi_k f_k}.
 *
 * <p>The components share the weight of the cells, a K-th each if they are alike, and by the factor
 * K the penalty of each is shared likewise. A factor of 1 / pi_k would not do: it changes between
 * iterations, and with it what is maximised.
 */
final class EmLoop {
  private final BuildPlan plan;
  private final EmSettings settings;
  private final TrainingCells cells;
  private final TrainingContext context;
  private final LoopCheckpoint kept;
  private final MemberTraining training;
  private final List<MemberFinished> rounds = new ArrayList<>();
  private List<ScoreModel> models = new ArrayList<>();
  private Mixture mixture;

  private EmLoop(
      BuildPlan plan,
      EmSettings settings,
      TrainingCells cells,
      TrainingContext context,
      LoopCheckpoint kept) {
    this.plan = plan;
    this.settings = settings;
    this.cells = cells;
    this.context = context;
    this.kept = kept;
    this.training = new MemberTraining(cells, context, kept);
    this.mixture = new Mixture(equalPriors(settings.components()), 1);
  }

  /** Fit a mixture. */
  public static BuildResult build(
      BuildPlan plan,
      EmSettings settings,
      TrainingCells cells,
      TrainingContext context,
      LoopCheckpoint kept) {
    for (BuildPlan.NamedFilter named : plan.filters()) {
      if (!named
          .filter()
          .capabilities()
          .containsAll(List.of(FilterCapability.CELL_WEIGHTS, FilterCapability.WARM_START))) {
        throw PecfException.badOption(
            "Construction em continues the training of filters on re-weighted cells,"
                + " which filter %s cannot do. Use another filter or construction.",
            named.id());
      }
    }
    EmLoop loop = new EmLoop(plan, settings, cells, context, kept);
    try {
      return loop.run();
    } catch (RuntimeException | Error e) {
      loop.models.forEach(ScoreModel::close);
      throw e;
    }
  }

  private BuildResult run() {
    List<CellField> responsibilities =
        settings.start() == EmSettings.Start.RANDOM ? randomPartition() : boosted();
    boolean complete = true;
    Progress progress = kept.restore(Progress.class).orElse(Progress.START);
    try {
      Progress earlier = progress;
      List<ScoreModel> trained = kept.resumed(() -> resume(earlier));
      while (progress.iteration() < settings.iterations() && !progress.converged()) {
        if (progress.iteration() > 0) {
          responsibilities = responsibilities(errors(models));
        }
        maximise(progress, responsibilities, trained);
        trained = List.of();
        progress = progress.next(likelihood(), mixture, settings.tolerance());
        kept.save(progress, models);
        kept.finished(ensemble(), rounds);
        context
            .run()
            .listener()
            .on(
                new EmIteration(
                    progress.iteration(),
                    settings.iterations(),
                    progress.likelihood(),
                    mixture.priors(),
                    mixture.deviation()));
      }
    } catch (PecfException e) {
      if (e.code() != ErrorCode.CANCELLED || models.isEmpty()) {
        throw e;
      }
      complete = false;
    }
    BuildResult result = BuildResult.ofFirst(ensemble(), rounds, Optional.empty(), complete);
    models = List.of();
    return result;
  }

  /**
   * The progress of the fit: from it and the models that are kept with it a run goes on.
   *
   * @param iteration the number of iterations that are done
   * @param trained the number of components that the next one has trained; their models stand after
   *     those of the iteration before
   * @param likelihood the penalised log-likelihood, once an iteration is done
   * @param priors pi, once an iteration is done
   * @param deviation sigma_r, once an iteration is done
   * @param converged whether the last iteration gained too little for another
   */
  public record Progress(
      int iteration,
      int trained,
      double likelihood,
      List<Double> priors,
      double deviation,
      boolean converged) {
    static final Progress START = new Progress(0, 0, 0, List.of(), 0, false);

    Progress next(double reached, Mixture mixture, double tolerance) {
      boolean enough = iteration > 0 && reached - likelihood < tolerance * Math.abs(likelihood);
      return new Progress(iteration + 1, 0, reached, mixture.priors(), mixture.deviation(), enough);
    }

    Progress withTrained(int count) {
      return new Progress(iteration, count, likelihood, priors, deviation, converged);
    }
  }

  /** Take up the models of a run that was cut off; return those of the unfinished iteration. */
  private List<ScoreModel> resume(Progress progress) {
    int before = progress.iteration() == 0 ? 0 : settings.components();
    if (before > 0) {
      models.forEach(ScoreModel::close);
      models = new ArrayList<>();
      for (int k = 0; k < before; k++) {
        models.add(kept.model(k));
      }
      mixture = new Mixture(progress.priors(), progress.deviation());
    }
    List<ScoreModel> trained = new ArrayList<>();
    try {
      for (int k = 0; k < progress.trained(); k++) {
        trained.add(kept.model(before + k));
      }
    } catch (RuntimeException | Error e) {
      trained.forEach(ScoreModel::close);
      throw e;
    }
    return trained;
  }

  /** Divide the cells among the components at random. */
  private List<CellField> randomPartition() {
    long seed = context.seed().child("partition").value();
    int components = settings.components();
    return IntStream.range(0, components)
        .mapToObj(k -> (CellField) PartMask.slice(seed, k, k + 1, components))
        .toList();
  }

  /**
   * Let component k start as the filter that joined L2Boost in round k, with the responsibilities
   * that the ensemble's errors after that round give.
   */
  private List<CellField> boosted() {
    BuildPlan boost =
        new BuildPlan(
            Construction.L2BOOST,
            plan.filters(),
            (state, kernels) -> state.confidence(),
            (step, kernels) -> 0.5,
            settings.components() - 1,
            0,
            plan.selection(),
            plan.metrics());
    BuildResult result =
        ProgressiveLoop.build(boost, cells, Optional.empty(), context, kept.apart("start"));
    if (!result.complete()) {
      result.ensemble().close();
      throw PecfException.cancelled();
    }
    Ensemble ensemble = result.ensemble();
    List<CellField> errors =
        IntStream.rangeClosed(1, ensemble.size())
            .mapToObj(k -> CellField.difference(cells.ratings(), ensemble.prediction(k)))
            .toList();
    for (Member member : ensemble.release()) {
      models.add(member.model());
    }
    mixture =
        new Mixture(
            equalPriors(models.size()), deviation(models, errors, equalShares(models.size())));
    return responsibilities(errors);
  }

  private static List<Double> equalPriors(int count) {
    return Collections.nCopies(count, 1.0 / count);
  }

  private static List<CellField> equalShares(int count) {
    return Collections.nCopies(count, CellField.constant(1f / count));
  }

  private List<CellField> errors(List<ScoreModel> components) {
    return components.stream()
        .map(model -> CellField.difference(cells.ratings(), CellField.score(model)))
        .toList();
  }

  private List<CellField> responsibilities(List<CellField> errors) {
    return IntStream.range(0, errors.size())
        .mapToObj(k -> (CellField) new Apply(new Responsibility(k, mixture), errors))
        .toList();
  }

  /**
   * Train every component on the cells it is responsible for, then estimate pi and s again.
   *
   * @param resumed the components that are trained already; from now on owned by this method
   */
  private void maximise(
      Progress progress, List<CellField> responsibilities, List<ScoreModel> resumed) {
    List<ScoreModel> trained = new ArrayList<>(resumed);
    try {
      for (int k = trained.size(); k < responsibilities.size(); k++) {
        BuildPlan.NamedFilter named = plan.filterOf(k);
        context.run().listener().on(new MemberStarted(k + 1, settings.components(), named.id()));
        trained.add(
            training.train(
                named,
                "iteration-" + (progress.iteration() + 1) + "/component-" + (k + 1),
                context.seed().child("component", k),
                CellField.product(
                    CellField.constant(settings.components()),
                    cells.weights(),
                    responsibilities.get(k)),
                cells.ratings(),
                models.isEmpty() ? Optional.empty() : Optional.of(models.get(k))));
        keep(progress, trained);
      }
      // The responsibilities still refer to the models they were computed from.
      List<Double> priors = priors(responsibilities);
      mixture = new Mixture(priors, deviation(trained, errors(trained), responsibilities));
    } catch (RuntimeException | Error e) {
      trained.forEach(ScoreModel::close);
      throw e;
    }
    models.forEach(ScoreModel::close);
    models = trained;
  }

  private void keep(Progress progress, List<ScoreModel> trained) {
    List<ScoreModel> all = new ArrayList<>(progress.iteration() == 0 ? List.of() : models);
    all.addAll(trained);
    kept.save(progress.withTrained(trained.size()), all);
  }

  private List<Double> priors(List<CellField> responsibilities) {
    List<CellField> weighted =
        responsibilities.stream().map(q -> CellField.product(cells.weights(), q)).toList();
    double[] sums = context.compute().fields().sums(weighted);
    double total = 0;
    for (double sum : sums) {
      total += sum;
    }
    List<Double> priors = new ArrayList<>();
    for (double sum : sums) {
      priors.add(sum / total);
    }
    return priors;
  }

  /**
   * Return the fixed deviation, or the one that makes the penalised likelihood largest: {@code s^2
   * = (sum c q_k e_k^2 + penalty / K) / sum c}.
   */
  private double deviation(
      List<ScoreModel> components, List<CellField> errors, List<CellField> responsibilities) {
    if (settings.deviation().isPresent()) {
      return settings.deviation().getAsDouble();
    }
    List<CellField> fields = new ArrayList<>();
    fields.add(cells.weights());
    for (int k = 0; k < errors.size(); k++) {
      CellField error = errors.get(k);
      fields.add(CellField.product(cells.weights(), responsibilities.get(k), error, error));
    }
    double[] sums = context.compute().fields().sums(fields);
    double squares = penalty(components);
    for (int k = 1; k < sums.length; k++) {
      squares += sums[k];
    }
    return Math.max(1e-3, Math.sqrt(squares / sums[0]));
  }

  /** Return the penalised observed-data log-likelihood. */
  private double likelihood() {
    CellField density =
        CellField.product(
            cells.weights(), new Apply(new MixtureLogDensity(mixture), errors(models)));
    double[] sums = context.compute().fields().sums(List.of(density));
    return sums[0] - penalty(models) / (2 * mixture.deviation() * mixture.deviation());
  }

  /** Return a K-th of the components' penalties. */
  private double penalty(List<ScoreModel> components) {
    double penalty = 0;
    for (int k = 0; k < components.size(); k++) {
      penalty += plan.filterOf(k).filter().penalty(components.get(k));
    }
    return penalty / settings.components();
  }

  private Ensemble ensemble() {
    Ensemble ensemble = new Ensemble(cells.shape());
    Confidence plain = cells.confidence();
    int components = settings.components();
    Confidence confidence =
        new Confidence(
            components * plain.positive(), components * plain.zero(), plain.popularity());
    for (int k = 0; k < models.size(); k++) {
      ensemble.add(
          models.get(k),
          plan.filterOf(k).id(),
          Combination.ADDITIVE,
          mixture.priors().get(k),
          Optional.of(
              MemberFit.of(
                  confidence,
                  new WeightRule.Mixture(k, mixture.priors(), mixture.deviation()),
                  false,
                  List.of())));
    }
    return ensemble;
  }
}
