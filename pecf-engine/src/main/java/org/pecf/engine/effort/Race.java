package org.pecf.engine.effort;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.pecf.api.PecfException;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.plugin.Choices;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.construct.NextMember;
import org.pecf.engine.effort.RaceEvent.RaceStarted;
import org.pecf.engine.effort.RaceTrainings.Contender;
import org.pecf.engine.evaluate.CandidatePool;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.ShortForm;
import org.pecf.engine.request.TrainingRequest;

/**
 * A race of filters for the places of an ensemble.
 *
 * <p>Filters of every kind that state what is worth trying ({@link SettingsSpace}) are trained with
 * the settings that suit most data, and then with those beside the best, a kind much the oftener
 * the better it is; half of the usual sweeps tell. The best settings of each kind are trained in
 * full. The ensemble begins with the best of them and grows as long as a model helps it beyond
 * chance ({@link NextMember}): one of the other kinds, another start or another setting of the best
 * kind. What the race returns are options, with which an ordinary training makes the same ensemble.
 * The test part is not looked at, and options that were given are not changed.
 *
 * <p>If a construction was given, the race ends with the best settings of its filter; where that
 * construction re-weighs cells, the rest of the work goes to ways to do that, plain weights among
 * them.
 */
public final class Race {
  /** The effort of a training unless it is told another: quick if nothing was given. */
  public static final String AUTO = "auto";

  private static final String NONE = "none";
  private static final String CONSTRUCTION = "construction";
  private static final String FILTER = "filter";
  private static final String ROUNDS = "rounds";
  private static final String PATIENCE = "patience";

  /** The options that describe an ensemble of another kind than a race grows. */
  private static final List<String> OTHER_ENSEMBLE =
      List.of(CONSTRUCTION, "weighting", "alpha", PATIENCE, "weights", "chains");

  /** The options of settings; where one was given, nothing is chosen unless that is asked for. */
  private static final List<String> SETTINGS =
      List.of("rank", "lambda", ProviderKind.CONFIDENCE, "frequency-exponent");

  /** The share of the work after which no further settings are tried. */
  private static final double SEARCH = 0.65;

  /** The share of the work after which ways to re-weigh cells are tried. */
  private static final double SETTLED = 0.5;

  /** The members after the first by which ways to re-weigh cells are compared. */
  private static final int COMPARED_ROUNDS = 3;

  /** A re-weighted member beside a plain one: its exceptions cost about as much again. */
  private static final double REWEIGHTED = 2;

  private static final String WEIGHTING = "weighting";

  /**
   * The ways to re-weigh cells, those first that helped most often: plain weights as the control,
   * zeros alone, and positives and zeros, by errors of several sizes.
   */
  private static final List<ProviderChoice> WEIGHTINGS =
      List.of(
          ProviderChoice.of("uniform"),
          posterior("0.5", "plain"),
          posterior("1", "error"),
          posterior("0.7", "plain"),
          posterior("0.7", "error"),
          posterior("0.35", "plain"),
          posterior("1", "plain"),
          posterior("0.5", "error"),
          posterior("0.35", "error"));

  /** The share of the work that the first training of one kind may take. */
  private static final double FIRST = 0.15;

  /** The seconds of a training from which it is not done twice, but its model kept on disk. */
  private static final double EXPENSIVE = 5;

  private final RequestOptions given;
  private final TrainingRequest base;
  private final Effort effort;
  private final PluginCatalog catalog;
  private final RunListener listener;
  private final RaceTrainings trainings;
  private final MetricKey metric;
  private final boolean grows;
  private boolean weighs;

  /** The best model of each kind that has no sweeps to save on, which is in the race as it is. */
  private final Map<Entrant, Contender> whole = new LinkedHashMap<>();

  private final List<String> reasons = new ArrayList<>();

  /** The trainings that a race asks for. */
  public interface Trials {
    /**
     * Train and measure a request.
     *
     * @param kept whether its members are kept, so that they need not be trained again
     */
    Trial train(TrainingRequest request, boolean kept);

    /**
     * Use pools of candidates under some models.
     *
     * @param models the models. Not modified.
     * @param mostCandidates the most candidates in a pool, of all users
     */
    <T> T mixing(
        List<ScoreModel> models, long mostCandidates, Function<CandidatePool.Source, T> use);
  }

  /**
   * A trained and measured ensemble.
   *
   * @param score the validation metric of the member that joined last, by itself
   * @param model that member, standardised
   * @param release closes it
   */
  public record Trial(double score, ScoreModel model, Runnable release) {}

  /**
   * Prepare a race.
   *
   * @param given the options that were given, which stay
   * @param base the request of the training that settings are searched for
   * @param effort the work to spend, unless there is a budget
   * @param budget the processor time to spend instead
   * @param catalog the filters
   * @param listener is notified of all events
   */
  public Race(
      RequestOptions given,
      TrainingRequest base,
      Effort effort,
      Optional<Duration> budget,
      PluginCatalog catalog,
      RunListener listener,
      Trials trials) {
    this.given = given;
    this.base = base;
    this.effort = effort;
    this.catalog = catalog;
    this.listener = listener;
    this.trainings = new RaceTrainings(base, effort, budget, listener, trials);
    this.metric = base.ensemble().selection();
    this.grows = growsEnsemble(given, base);
  }

  /** Return the keys of the options of a training that a race decides unless they are given. */
  public static Set<String> chosen() {
    return Set.of(
        "rank", "lambda", ProviderKind.CONFIDENCE, FILTER, CONSTRUCTION, ROUNDS, PATIENCE);
  }

  /**
   * Return the effort to spend on a request.
   *
   * @param asked the name of an effort; {@code none}; or {@code auto}, which is quick if nothing
   *     that a race chooses was given
   * @throws PecfException if there is no such effort, or it would have no effect
   */
  public static Optional<Effort> effort(
      String asked, RequestOptions given, TrainingRequest request, PluginCatalog catalog) {
    boolean possible =
        request.split().holdsOut()
            && request.ensemble().construction() != Construction.EM
            && (growsEnsemble(given, request) || request.ensemble().filters().size() == 1)
            && Entrant.filters(given).stream()
                .allMatch(choice -> Entrant.hasChoices(choice.id(), given, catalog));
    if (asked.equals(AUTO)) {
      boolean open =
          SETTINGS.stream()
              .noneMatch(
                  key ->
                      given.given().containsKey(key)
                          || given.given().keySet().stream()
                              .anyMatch(of -> of.endsWith("." + key)));
      return Optional.of(Effort.QUICK).filter(quick -> possible && open);
    }
    List<String> names = new ArrayList<>(List.of(NONE));
    Arrays.stream(Effort.values()).map(Effort::toString).forEach(names::add);
    String name = Choices.find("effort", asked, names, Function.identity());
    if (name.equals(NONE)) {
      return Optional.empty();
    }
    if (!possible) {
      throw PecfException.badOption(
          "Option 'effort' has no effect here: settings are searched for filters that say what to"
              + " try, such as wmf, on a split with a validation part, and only those that are not"
              + " given. Leave it out.");
    }
    return Optional.of(Choices.find("effort", name, Effort.class));
  }

  private static boolean growsEnsemble(RequestOptions given, TrainingRequest request) {
    return given.given().keySet().stream().noneMatch(OTHER_ENSEMBLE::contains)
        && request.ensemble().selection().ofUsers();
  }

  /**
   * Run the race.
   *
   * @param shape the grid of the data
   * @param positives the number of positives in training
   * @return the settings chosen, and why
   * @throws PecfException if no candidate can be trained
   */
  public SettingsChosen run(GridShape shape, long positives) {
    try {
      return choose(shape, positives);
    } finally {
      whole.values().forEach(contender -> contender.trial().release().run());
    }
  }

  private SettingsChosen choose(GridShape shape, long positives) {
    List<Entrant> entrants = entrants(shape, positives);
    Entrant usual =
        entrants.stream()
            .filter(entrant -> entrant.filter().equals(EnsembleRequest.DEFAULT_FILTER))
            .findFirst()
            .orElse(entrants.get(0));
    trainings.begin(shape, usual.work(usual.start()));
    weighs = weighs(usual);
    listener.on(new RaceStarted(trainings.name(), entrants.stream().map(Entrant::filter).toList()));
    enter(entrants, usual);
    List<Entrant> racing = new ArrayList<>(entrants);
    racing.removeIf(entrant -> !entrant.isMeasured());
    if (racing.isEmpty()) {
      throw trainings.failure();
    }
    refine(racing);
    racing.sort(Comparator.comparingDouble(Entrant::score).reversed());
    racing.forEach(this::explain);
    SettingsChosen chosen =
        new SettingsChosen(
            trainings.name(),
            grows ? grow(racing) : ofOneKind(racing.get(0)),
            reasons,
            trainings.measured(),
            Math.abs(racing.get(0).score()),
            metric.toString());
    listener.on(chosen);
    return chosen;
  }

  private List<Entrant> entrants(GridShape shape, long positives) {
    List<String> named =
        !grows || given.given().containsKey(FILTER)
            ? Entrant.filters(given).stream().map(ProviderChoice::id).distinct().toList()
            : catalog.ids(ProviderKind.FILTER);
    return named.stream()
        .map(id -> Entrant.of(id, given, catalog, shape, positives))
        .flatMap(Optional::stream)
        .toList();
  }

  /** Train the best of each kind in full and grow the ensemble from them. */
  private Map<String, String> grow(List<Entrant> racing) {
    OptionalInt rounds =
        given.given().containsKey(ROUNDS)
            ? OptionalInt.of(base.ensemble().rounds())
            : OptionalInt.empty();
    return new RaceGrowth(racing, trainings, effort, rounds, listener, reasons).grow(whole);
  }

  /** Train every filter with the settings that suit most data, or cheaper ones. */
  private void enter(List<Entrant> entrants, Entrant usual) {
    for (Entrant entrant : entrants) {
      double[] point = entrant.start();
      while (trainings.work(entrant, point) > FIRST * trainings.limit()
          && entrant.cheaper(point).isPresent()) {
        point = entrant.cheaper(point).get();
      }
      if (entrant == usual || trainings.work(entrant, point) <= FIRST * trainings.limit()) {
        measure(entrant, point);
      } else {
        reasons.add(
            String.format(
                Locale.ROOT,
                "%s was left out: one training takes about %.0f processor seconds.",
                entrant.filter(),
                trainings.work(entrant, point)));
      }
    }
  }

  /** Try the settings beside the best ones, those of better filters more often. */
  private void refine(List<Entrant> racing) {
    double share = grows ? SEARCH : weighs ? SETTLED : 1;
    while (true) {
      List<Entrant> order =
          racing.stream().sorted(Comparator.comparingDouble(Entrant::score).reversed()).toList();
      Optional<Entrant> next =
          order.stream()
              .filter(
                  entrant ->
                      entrant
                          .next()
                          .filter(
                              point ->
                                  trainings.spent() + trainings.work(entrant, point)
                                      <= share * trainings.limit())
                          .isPresent())
              .min(
                  Comparator.comparingDouble(
                      entrant ->
                          (entrant.spent() + trainings.work(entrant, entrant.next().orElseThrow()))
                              * (1 + order.indexOf(entrant))));
      if (next.isEmpty()) {
        return;
      }
      measure(next.get(), next.get().next().orElseThrow());
    }
  }

  private void measure(Entrant entrant, double[] point) {
    Map<String, String> settings = entrant.settings(point);
    Map<String, String> shorter = entrant.shorter(point);
    double work = trainings.work(entrant, point);
    boolean isWhole = shorter.equals(settings);
    Optional<Contender> trained =
        trainings.train(
            List.of(entrant.choice(shorter)),
            settings,
            work,
            isWhole && entrant.work(point) > EXPENSIVE);
    entrant.measured(
        point,
        trained.map(contender -> trainings.signed(contender.trial().score())).orElse(Double.NaN),
        work);
    if (trained.isPresent()) {
      boolean best = Arrays.equals(entrant.point(0).orElseThrow(), point);
      Contender other =
          grows && isWhole && best ? whole.put(entrant, trained.get()) : trained.get();
      if (other != null) {
        other.trial().release().run();
      }
    }
  }

  private void explain(Entrant entrant) {
    List<String> open = entrant.open();
    reasons.add(
        String.format(
            Locale.ROOT,
            "%s: %s %.4f, the best of %d; %s%s",
            entrant.filter(),
            metric,
            Math.abs(entrant.score()),
            entrant.tried(),
            Candidate.words(entrant.settings(entrant.point(0).orElseThrow())),
            open.isEmpty()
                ? "."
                : "; the work was spent before it was surrounded in "
                    + String.join(", ", open)
                    + "."));
  }

  private static ProviderChoice posterior(String sigma, String positives) {
    return new ProviderChoice("posterior", Map.of("sigma", sigma, "positives", positives));
  }

  /** Return whether ways to re-weigh cells are to be chosen, and half of the work is enough. */
  private boolean weighs(Entrant usual) {
    return !grows
        && base.ensemble().construction().reweighs()
        && base.ensemble().rounds() > 0
        && given.given().keySet().stream()
            .noneMatch(key -> key.equals(WEIGHTING) || key.startsWith("posterior."))
        && 2 * weightedWork(usual, usual.start()) <= (1 - SETTLED) * trainings.limit();
  }

  private int comparedRounds() {
    return Math.min(COMPARED_ROUNDS, base.ensemble().rounds());
  }

  private double weightedWork(Entrant entrant, double[] point) {
    return trainings.fullWork(entrant, point) * (1 + comparedRounds() * REWEIGHTED);
  }

  /**
   * Try ways to re-weigh cells on ensembles of a few members.
   *
   * @return the best one as options: texts by key; nothing if the work was too little for two
   */
  private Map<String, String> weighting(Entrant best) {
    double[] point = best.point(0).orElseThrow();
    int rounds = comparedRounds();
    double work = weightedWork(best, point);
    Optional<ProviderChoice> chosen = Optional.empty();
    double most = Double.NEGATIVE_INFINITY;
    List<String> found = new ArrayList<>();
    for (ProviderChoice weighting : WEIGHTINGS) {
      boolean control = weighting.id().equals("uniform");
      if (trainings.spent() + (control ? 2 : 1) * work > trainings.limit()) {
        break;
      }
      double score = trainings.weighted(best.choice(best.settings(point)), weighting, rounds, work);
      found.add(weighting + String.format(Locale.ROOT, " %.4f", Math.abs(score)));
      if (score > most) {
        most = score;
        chosen = Optional.of(weighting);
      }
    }
    if (chosen.isEmpty()) {
      return Map.of();
    }
    reasons.add(
        String.format(
            Locale.ROOT,
            "weights of cells, %s of %d members: %s.",
            metric,
            rounds + 1,
            String.join(", ", found)));
    Map<String, String> options = new LinkedHashMap<>();
    options.put(WEIGHTING, chosen.get().id());
    chosen.get().options().forEach((key, value) -> options.put("posterior." + key, value));
    return options;
  }

  /** Return the options of an ensemble whose construction was given. */
  private Map<String, String> ofOneKind(Entrant best) {
    Map<String, String> options = settings(best.filter(), best.point(0).orElseThrow(), best);
    if (weighs) {
      options.putAll(weighting(best));
    }
    if (base.ensemble().construction().rounds(1) > 0 && !given.given().containsKey(ROUNDS)) {
      options.put(ROUNDS, Integer.toString(effort.members()));
      if (!given.given().containsKey(PATIENCE)) {
        options.put(PATIENCE, Integer.toString(effort.patience()));
      }
    }
    return options;
  }

  /** Return settings as options of a training with one filter: texts by key. */
  private static Map<String, String> settings(String filter, double[] point, Entrant of) {
    Map<String, String> options = new LinkedHashMap<>();
    of.settings(point)
        .forEach(
            (key, value) -> {
              boolean isShort = key.equals(ProviderKind.CONFIDENCE) || ShortForm.isOfFilters(key);
              options.put(isShort ? key : filter + "." + key, value);
            });
    return options;
  }
}
