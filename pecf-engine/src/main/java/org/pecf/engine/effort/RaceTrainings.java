package org.pecf.engine.effort;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.construct.MemberWeights;
import org.pecf.engine.construct.NextMember;
import org.pecf.engine.effort.RaceEvent.CandidateMeasured;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.WorkClock;

/**
 * The trainings of a race, and the work that they took: as filters state it, so that the same data
 * and seed give the same ensemble on any machine, or in processor seconds if there is a budget.
 */
final class RaceTrainings {
  /** The seconds in which lists are ranked and measured, per user and item. */
  private static final double MEASURING = 3e-9;

  /** The seconds that the smallest training takes, with all that surrounds it. */
  private static final double OVERHEAD = 0.1;

  private final TrainingRequest base;
  private final Effort effort;
  private final Optional<Duration> budget;
  private final RunListener listener;
  private final Race.Trials trials;
  private final MetricKey metric;
  private final WorkClock clock = new WorkClock();
  private final List<Candidate> measured = new ArrayList<>();
  private final List<PecfException> failures = new ArrayList<>();
  private double measuring;
  private double limit;
  private double used;

  /** A model, fully trained, that may join the ensemble. */
  record Contender(Candidate candidate, double work, Race.Trial trial, int copy) {}

  RaceTrainings(
      TrainingRequest base,
      Effort effort,
      Optional<Duration> budget,
      RunListener listener,
      Race.Trials trials) {
    this.base = base;
    this.effort = effort;
    this.budget = budget;
    this.listener = listener;
    this.trials = trials;
    this.metric = base.ensemble().selection();
  }

  /**
   * Set the limit of the work.
   *
   * @param training the work of a training of the usual filter
   */
  void begin(GridShape shape, double training) {
    int users = Math.min(shape.users(), base.evaluation().sampleUsers().most());
    measuring = OVERHEAD + MEASURING * users * shape.items();
    limit = effort.work(training + measuring);
  }

  /** Return the name of the effort, or the budget. */
  String name() {
    return budget.map(time -> time.toSeconds() + " s of").orElse(effort.toString());
  }

  /** Return all candidates so far, in the order of their trainings. */
  List<Candidate> measured() {
    return measured;
  }

  /** Return why nothing could be trained. */
  PecfException failure() {
    // A reason that candidates share, such as too little memory, is no matter of settings.
    return failures.isEmpty()
        ? PecfException.badOption(
            "None of %d settings has a finite %s. Give the settings.", measured.size(), metric)
        : failures.get(0);
  }

  /** Return the work so far. */
  double spent() {
    return budget.isPresent() ? clock.processorSeconds() : used;
  }

  /** Return the most work, in the unit of {@link #spent}. */
  double limit() {
    return budget.map(time -> time.toMillis() / 1e3).orElse(limit);
  }

  /** Return the work of a short training and its measurement. */
  double work(Entrant entrant, double[] point) {
    return entrant.work(point) * (entrant.iterations(point).isPresent() ? 0.5 : 1) + measuring;
  }

  /** Return the work of a training in full and its measurement. */
  double fullWork(Entrant entrant, double[] point) {
    return entrant.work(point) + measuring;
  }

  /** Return a score of which the higher is the better. */
  double signed(double score) {
    return metric.better(1, 0) ? score : -score;
  }

  /**
   * Train members and measure the last one; nothing if the settings do not work.
   *
   * @param members the members: those that the last one depends on, and it. Not modified.
   * @param settings the settings to show
   * @param kept whether the members are kept
   */
  Optional<Contender> train(
      List<ProviderChoice> members, Map<String, String> settings, double work, boolean kept) {
    ProviderChoice last = members.get(members.size() - 1);
    EnsembleRequest ensemble =
        base.ensemble()
            .withConstruction(
                Construction.GREEDY,
                Construction.GREEDY.defaultWeighting(),
                Construction.GREEDY.defaultAlpha())
            .withFilters(members)
            .with(
                Map.of(
                    "weights",
                    MemberWeights.JOINED.toString(),
                    "rounds",
                    Integer.toString(members.size() - 1),
                    "patience",
                    "0",
                    "chains",
                    "1"));
    return train(last.id(), ensemble, settings, work, kept)
        .map(
            trial -> new Contender(measured.get(measured.size() - 1), work, trial, members.size()));
  }

  private Optional<Race.Trial> train(
      String filter,
      EnsembleRequest ensemble,
      Map<String, String> settings,
      double work,
      boolean kept) {
    WorkClock time = new WorkClock();
    Optional<Race.Trial> trial = Optional.empty();
    try {
      trial = Optional.of(trials.train(base.withEnsemble(ensemble), kept));
    } catch (PecfException e) {
      if (e.code() != ErrorCode.BAD_OPTION && e.code() != ErrorCode.RESOURCES) {
        throw e;
      }
      failures.add(e);
    }
    used += work;
    Candidate candidate =
        new Candidate(
            filter,
            settings,
            time.processorSeconds(),
            trial.map(Race.Trial::score).orElse(Double.NaN));
    boolean leads =
        measured.stream()
            .filter(of -> !Double.isNaN(of.score()))
            .allMatch(of -> signed(candidate.score()) > signed(of.score()));
    measured.add(candidate);
    listener.on(
        new CandidateMeasured(
            candidate,
            measured.size(),
            Math.min(1, spent() / limit()),
            leads && trial.isPresent(),
            metric.toString()));
    return trial;
  }

  /**
   * Train an ensemble of the given construction with one way to weigh cells, and return its score,
   * the higher the better; NaN if it cannot be trained.
   *
   * @param rounds the members after the first
   */
  double weighted(ProviderChoice filter, ProviderChoice weighting, int rounds, double work) {
    Map<String, String> settings = new TreeMap<>(weighting.options());
    settings.put("weighting", weighting.id());
    return train(
            filter.id(),
            base.ensemble()
                .withFilters(List.of(filter))
                .withWeighting(weighting)
                .with(Map.of("rounds", Integer.toString(rounds), "patience", "0", "chains", "1")),
            settings,
            work,
            false)
        .map(
            trial -> {
              trial.release().run();
              return signed(trial.score());
            })
        .orElse(Double.NaN);
  }

  /**
   * Judge which model improves a mixture most.
   *
   * @param contenders the models. Not modified.
   * @param members the numbers of those in the mixture. Not modified.
   * @param weights their weights. Not modified.
   */
  Optional<NextMember> next(
      List<Contender> contenders, List<Integer> members, List<Double> weights) {
    if (members.size() == contenders.size()) {
      return Optional.empty();
    }
    List<ScoreModel> models = contenders.stream().map(of -> of.trial.model()).toList();
    List<Double> work = contenders.stream().map(Contender::work).toList();
    return trials.mixing(
        models,
        2L * metric.cutoff() * effort.judges(),
        source -> NextMember.of(source, members, weights, work));
  }

  /** Return the metric that decides. */
  MetricKey metric() {
    return metric;
  }
}
