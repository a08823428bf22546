package org.pecf.engine.effort;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.plugin.Choices;
import org.pecf.api.plugin.OptionDescription;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.construct.MemberWeights;
import org.pecf.engine.construct.NextMember;
import org.pecf.engine.effort.RaceEvent.CandidateMeasured;
import org.pecf.engine.effort.RaceEvent.MemberJudged;
import org.pecf.engine.effort.RaceEvent.RaceStarted;
import org.pecf.engine.evaluate.CandidatePool;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.ShortForm;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.WorkClock;

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
 * <p>If a construction was given, the race ends with the best settings of its filter.
 */
public final class Race {
  /** The effort of a training unless it is told another: quick if nothing was given. */
  public static final String AUTO = "auto";

  private static final String NONE = "none";
  private static final String CONSTRUCTION = "construction";
  private static final String FILTER = "filter";
  private static final String ITERATIONS = "iterations";
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

  /** The share of the work that the first training of one kind may take. */
  private static final double FIRST = 0.15;

  /** The models in a row that do not help after which the ensemble is complete. */
  private static final int MOST_MISSES = 3;

  /** The seconds in which lists are ranked and measured, per user and item. */
  private static final double MEASURING = 3e-9;

  /** The seconds of a training from which it is not done twice, but its model kept on disk. */
  private static final double EXPENSIVE = 5;

  /** The seconds that the smallest training takes, with all that surrounds it. */
  private static final double OVERHEAD = 0.1;

  private final RequestOptions given;
  private final TrainingRequest base;
  private final Effort effort;
  private final Optional<Duration> budget;
  private final PluginCatalog catalog;
  private final RunListener listener;
  private final Trials trials;
  private final MetricKey metric;
  private final boolean grows;
  private final List<Candidate> measured = new ArrayList<>();
  private final List<PecfException> failures = new ArrayList<>();

  /** The best model of each kind that has no sweeps to save on, which is in the race as it is. */
  private final Map<Entrant, Contender> whole = new LinkedHashMap<>();

  private final List<String> reasons = new ArrayList<>();
  private final WorkClock clock = new WorkClock();
  private double measuring;
  private double limit;
  private double used;

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

  /** A model, fully trained, that may join the ensemble. */
  private record Contender(Candidate candidate, double work, Trial trial, int copy) {}

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
    this.budget = budget;
    this.catalog = catalog;
    this.listener = listener;
    this.trials = trials;
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
            && filters(given).stream().allMatch(choice -> races(choice.id(), given, catalog));
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

  private static boolean races(String filter, RequestOptions given, PluginCatalog catalog) {
    BaseFilterProvider<?> provider = catalog.find(ProviderKind.FILTER, filter);
    Map<String, String> fixed = fixed(provider, given);
    return provider
        .settingsSpace(new GridShape(100, 100), 1000, fixed)
        .map(space -> new Entrant(filter, space, fixed))
        .filter(entrant -> !entrant.settings(entrant.start()).isEmpty())
        .isPresent();
  }

  /** Return the filters that were given, with the options that their text sets. */
  private static List<ProviderChoice> filters(RequestOptions given) {
    String text = given.given().get(FILTER);
    return TrainingRequest.of(text == null ? Map.of() : Map.of(FILTER, text)).ensemble().filters();
  }

  /** Return the options of a filter that were given in any form: texts by option. */
  private static Map<String, String> fixed(BaseFilterProvider<?> provider, RequestOptions given) {
    String id = provider.describe().id();
    Map<String, String> fixed = new LinkedHashMap<>();
    for (String key : provider.options().keys()) {
      if (ShortForm.all().stream().anyMatch(form -> form.key().equals(key))) {
        put(fixed, key, given.given().get(key));
      }
      put(fixed, key, given.given().get(id + "." + key));
    }
    put(fixed, ProviderKind.CONFIDENCE, given.given().get(ProviderKind.CONFIDENCE));
    filters(given).stream()
        .filter(choice -> choice.id().equals(id))
        .forEach(choice -> fixed.putAll(choice.options()));
    return fixed;
  }

  private static void put(Map<String, String> texts, String key, @Nullable String text) {
    if (text != null) {
      texts.put(key, text);
    }
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
      whole.values().forEach(contender -> contender.trial.release.run());
    }
  }

  private SettingsChosen choose(GridShape shape, long positives) {
    measuring =
        OVERHEAD
            + MEASURING
                * Math.min(shape.users(), base.evaluation().sampleUsers().most())
                * shape.items();
    List<Entrant> entrants = entrants(shape, positives);
    Entrant usual =
        entrants.stream()
            .filter(entrant -> entrant.filter().equals(EnsembleRequest.DEFAULT_FILTER))
            .findFirst()
            .orElse(entrants.get(0));
    limit = effort.work(usual.work(usual.start()) + measuring);
    String name = budget.map(time -> time.toSeconds() + " s of").orElse(effort.toString());
    listener.on(new RaceStarted(name, entrants.stream().map(Entrant::filter).toList()));
    enter(entrants, usual);
    List<Entrant> racing = new ArrayList<>(entrants);
    racing.removeIf(entrant -> !entrant.isMeasured());
    if (racing.isEmpty()) {
      // A reason that they share, such as too little memory, is no matter of settings.
      throw failures.isEmpty()
          ? PecfException.badOption(
              "None of %d settings has a finite %s. Give the settings.", measured.size(), metric)
          : failures.get(0);
    }
    refine(racing);
    racing.sort(Comparator.comparingDouble(Entrant::score).reversed());
    racing.forEach(this::explain);
    Map<String, String> options = grows ? grow(racing) : ofOneKind(racing.get(0));
    SettingsChosen chosen =
        new SettingsChosen(
            name, options, reasons, measured, Math.abs(racing.get(0).score()), metric.toString());
    listener.on(chosen);
    return chosen;
  }

  private List<Entrant> entrants(GridShape shape, long positives) {
    List<String> named =
        !grows || given.given().containsKey(FILTER)
            ? filters(given).stream().map(ProviderChoice::id).distinct().toList()
            : catalog.ids(ProviderKind.FILTER);
    List<Entrant> entrants = new ArrayList<>();
    for (String id : named) {
      BaseFilterProvider<?> provider = catalog.find(ProviderKind.FILTER, id);
      Map<String, String> fixed = fixed(provider, given);
      provider
          .settingsSpace(shape, positives, fixed)
          .ifPresent(space -> entrants.add(new Entrant(id, space, fixed)));
    }
    return entrants;
  }

  /** Train every filter with the settings that suit most data, or cheaper ones. */
  private void enter(List<Entrant> entrants, Entrant usual) {
    for (Entrant entrant : entrants) {
      double[] point = entrant.start();
      while (work(entrant, point) > FIRST * limit && entrant.cheaper(point).isPresent()) {
        point = entrant.cheaper(point).get();
      }
      if (entrant == usual || work(entrant, point) <= FIRST * limit) {
        measure(entrant, point);
      } else {
        reasons.add(
            String.format(
                Locale.ROOT,
                "%s was left out: one training takes about %.0f processor seconds.",
                entrant.filter(),
                work(entrant, point)));
      }
    }
  }

  /** Try the settings beside the best ones, those of better filters more often. */
  private void refine(List<Entrant> racing) {
    double share = grows ? SEARCH : 1;
    while (true) {
      List<Entrant> order =
          racing.stream().sorted(Comparator.comparingDouble(Entrant::score).reversed()).toList();
      Optional<Entrant> next =
          order.stream()
              .filter(
                  entrant ->
                      entrant
                          .next()
                          .filter(point -> spent() + work(entrant, point) <= share * limit())
                          .isPresent())
              .min(
                  Comparator.comparingDouble(
                      entrant ->
                          (entrant.spent() + work(entrant, entrant.next().orElseThrow()))
                              * (1 + order.indexOf(entrant))));
      if (next.isEmpty()) {
        return;
      }
      measure(next.get(), next.get().next().orElseThrow());
    }
  }

  /** Return the work of a short training and its measurement. */
  private double work(Entrant entrant, double[] point) {
    return entrant.work(point) * (iterations(entrant, point).isPresent() ? 0.5 : 1) + measuring;
  }

  /** Return half of the iterations of a filter that has such an option and was not given it. */
  private Optional<String> iterations(Entrant entrant, double[] point) {
    BaseFilterProvider<?> provider = catalog.find(ProviderKind.FILTER, entrant.filter());
    if (fixed(provider, given).containsKey(ITERATIONS)) {
      return Optional.empty();
    }
    Optional<String> usual =
        provider.options().descriptions().stream()
            .filter(option -> option.key().equals(ITERATIONS))
            .map(OptionDescription::defaultValue)
            .findFirst();
    return Optional.ofNullable(entrant.settings(point).get(ITERATIONS))
        .or(() -> usual)
        .map(text -> Integer.toString((Integer.parseInt(text) + 1) / 2));
  }

  private void measure(Entrant entrant, double[] point) {
    Map<String, String> settings = entrant.settings(point);
    Map<String, String> shorter = new LinkedHashMap<>(settings);
    iterations(entrant, point).ifPresent(text -> shorter.put(ITERATIONS, text));
    double work = work(entrant, point);
    boolean isWhole = shorter.equals(settings);
    Optional<Contender> trained =
        train(
            List.of(choice(entrant.filter(), shorter)),
            settings,
            work,
            isWhole && entrant.work(point) > EXPENSIVE);
    entrant.measured(
        point, trained.map(contender -> signed(contender.trial.score)).orElse(Double.NaN), work);
    if (trained.isPresent()) {
      boolean best = Arrays.equals(entrant.point(0).orElseThrow(), point);
      Contender other =
          grows && isWhole && best ? whole.put(entrant, trained.get()) : trained.get();
      if (other != null) {
        other.trial.release.run();
      }
    }
  }

  /** Return a score of which the higher is the better. */
  private double signed(double score) {
    return metric.better(1, 0) ? score : -score;
  }

  /**
   * Train members and measure the last one; nothing if the settings do not work.
   *
   * @param members the members: those that the last one depends on, and it. Not modified.
   * @param settings the settings to show
   * @param kept whether the members are kept
   */
  private Optional<Contender> train(
      List<ProviderChoice> members, Map<String, String> settings, double work, boolean kept) {
    WorkClock time = new WorkClock();
    ProviderChoice last = members.get(members.size() - 1);
    TrainingRequest request =
        base.withEnsemble(
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
                        ROUNDS,
                        Integer.toString(members.size() - 1),
                        PATIENCE,
                        "0",
                        "chains",
                        "1")));
    Optional<Trial> trial = Optional.empty();
    try {
      trial = Optional.of(trials.train(request, kept));
    } catch (PecfException e) {
      if (e.code() != ErrorCode.BAD_OPTION && e.code() != ErrorCode.RESOURCES) {
        throw e;
      }
      failures.add(e);
    }
    used += work;
    Candidate candidate =
        new Candidate(
            last.id(),
            settings,
            time.processorSeconds(),
            trial.map(Trial::score).orElse(Double.NaN));
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
    return trial.map(of -> new Contender(candidate, work, of, members.size()));
  }

  /** Return the work so far: as filters state it, or in processor seconds if there is a budget. */
  private double spent() {
    return budget.isPresent() ? clock.processorSeconds() : used;
  }

  /** Return the most work, in the unit of {@link #spent}. */
  private double limit() {
    return budget.map(time -> time.toMillis() / 1e3).orElse(limit);
  }

  /** Return the choice of a filter with some settings beside the options that its text sets. */
  private ProviderChoice choice(String filter, Map<String, String> settings) {
    Map<String, String> options = new LinkedHashMap<>(settings);
    filters(given).stream()
        .filter(own -> own.id().equals(filter))
        .forEach(own -> options.putAll(own.options()));
    fixed(catalog.find(ProviderKind.FILTER, filter), given).forEach(options::putIfAbsent);
    return new ProviderChoice(filter, options);
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
            words(entrant.settings(entrant.point(0).orElseThrow())),
            open.isEmpty()
                ? "."
                : "; the work was spent before it was surrounded in "
                    + String.join(", ", open)
                    + "."));
  }

  private static String words(Map<String, String> settings) {
    return settings.isEmpty()
        ? "nothing to set"
        : settings.entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
  }

  /** Return the options of an ensemble whose construction was given. */
  private Map<String, String> ofOneKind(Entrant best) {
    Map<String, String> options = settings(best.filter(), best.point(0).orElseThrow(), best);
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
              boolean isShort =
                  key.equals(ProviderKind.CONFIDENCE)
                      || ShortForm.all().stream().anyMatch(form -> form.key().equals(key));
              options.put(isShort ? key : filter + "." + key, value);
            });
    return options;
  }

  /** Train the best of each kind in full and grow the ensemble from them. */
  private Map<String, String> grow(List<Entrant> racing) {
    List<Contender> contenders = new ArrayList<>();
    try {
      for (Entrant entrant : racing) {
        Contender known = whole.remove(entrant);
        if (known != null) {
          contenders.add(known);
        } else if (contenders.isEmpty()
            || spent() + entrant.work(entrant.point(0).orElseThrow()) <= limit()) {
          contend(entrant, 0, 1).ifPresent(contenders::add);
        }
      }
      if (contenders.isEmpty()) {
        throw failures.get(0);
      }
      contenders.sort(
          Comparator.comparingDouble((Contender of) -> signed(of.trial.score)).reversed());
      return options(members(contenders, racing));
    } finally {
      contenders.forEach(contender -> contender.trial.release.run());
    }
  }

  /**
   * Train a filter in full.
   *
   * @param rank which of its settings, 0 for the best
   * @param copy which start: 1 for the first
   */
  private Optional<Contender> contend(Entrant entrant, int rank, int copy) {
    double[] point = entrant.point(rank).orElseThrow();
    Map<String, String> settings = entrant.settings(point);
    ProviderChoice choice = choice(entrant.filter(), settings);
    return train(
        Collections.nCopies(copy, choice), settings, entrant.work(point) + measuring, true);
  }

  /** A further training that may help an ensemble: of a filter's settings, with another start. */
  private record Further(Entrant entrant, int rank, int copy) {}

  /** Return the further trainings worth a try, the most promising first. */
  private List<Further> further(List<Entrant> racing) {
    List<Further> further = new ArrayList<>();
    for (int k = 1; k <= Effort.THOROUGH.members(); k++) {
      for (Entrant entrant : racing.subList(0, Math.min(2, racing.size()))) {
        if (entrant.point(k).isPresent()) {
          further.add(new Further(entrant, k, 1));
        }
        // A filter without sweeps starts nowhere: another training gives the same model.
        if (iterations(entrant, entrant.start()).isPresent()) {
          further.add(new Further(entrant, 0, k + 1));
        }
      }
    }
    return further;
  }

  /**
   * Grow the ensemble from the best contender.
   *
   * @param contenders the best of each kind, the best first. Further ones are added.
   * @return the members with their weights
   */
  private Map<Contender, Double> members(List<Contender> contenders, List<Entrant> racing) {
    int most = effort.members();
    if (given.given().containsKey(ROUNDS)) {
      most = base.ensemble().rounds() + 1;
    }
    List<Integer> members = new ArrayList<>(List.of(0));
    List<Double> weights = List.of(1.0);
    Deque<Further> further = new ArrayDeque<>(further(racing));
    int misses = 0;
    while (members.size() < most) {
      Optional<NextMember> next = next(contenders, members, weights);
      boolean joins = next.filter(NextMember::helps).isPresent();
      next.ifPresent(judged -> report(judged, contenders, members.size() + 1, joins));
      if (joins) {
        members.add(next.orElseThrow().model());
        weights = next.orElseThrow().weights();
        misses = 0;
      } else {
        Further other = further.poll();
        while (other != null && !canFollow(other, contenders, members)) {
          other = further.poll();
        }
        if (other == null || misses == MOST_MISSES || !isAffordable(other)) {
          break;
        }
        misses++;
        contend(other.entrant, other.rank, other.copy).ifPresent(contenders::add);
      }
    }
    Map<Contender, Double> weighted = new LinkedHashMap<>();
    double sum = weights.stream().mapToDouble(Math::abs).sum();
    for (int k = 0; k < members.size(); k++) {
      weighted.put(contenders.get(members.get(k)), weights.get(k) / sum);
    }
    return weighted;
  }

  /**
   * Return whether a training could be a member: the plan numbers the starts of equal settings in
   * the order of its members, so a further start needs that all before it are members.
   */
  private static boolean canFollow(
      Further other, List<Contender> contenders, List<Integer> members) {
    Map<String, String> settings =
        other.entrant.settings(other.entrant.point(other.rank).orElseThrow());
    return other.copy == 1
        || members.stream()
            .map(contenders::get)
            .anyMatch(
                member ->
                    member.candidate.filter().equals(other.entrant.filter())
                        && member.candidate.settings().equals(settings)
                        && member.copy == other.copy - 1);
  }

  private boolean isAffordable(Further other) {
    double work = other.entrant.work(other.entrant.point(other.rank).orElseThrow()) + measuring;
    return spent() + work <= limit();
  }

  private Optional<NextMember> next(
      List<Contender> contenders, List<Integer> members, List<Double> weights) {
    if (members.size() == contenders.size()) {
      return Optional.empty();
    }
    List<ScoreModel> models = contenders.stream().map(of -> of.trial.model).toList();
    List<Double> work = contenders.stream().map(Contender::work).toList();
    return trials.mixing(
        models,
        2L * metric.cutoff() * effort.judges(),
        source -> NextMember.of(source, members, weights, work));
  }

  private void report(NextMember judged, List<Contender> contenders, int number, boolean joins) {
    Contender contender = contenders.get(judged.model());
    listener.on(
        new MemberJudged(
            contender.candidate,
            number,
            judged.before(),
            judged.after(),
            joins,
            metric.toString()));
    if (joins) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "member %d, %s: %s %.4f -> %.4f, judged by users it was not fitted to.",
              number,
              contender.candidate.filter() + (contender.copy > 1 ? " from another start" : ""),
              metric,
              judged.before(),
              judged.after()));
    }
  }

  /** Return the options of the ensemble: texts by key. */
  private Map<String, String> options(Map<Contender, Double> members) {
    Map<String, String> options = new LinkedHashMap<>();
    boolean one = members.size() == 1;
    if (one) {
      reasons.add("no mixture was better than the best filter beyond chance: it is the model.");
    }
    boolean single = one && !given.given().containsKey(ROUNDS);
    options.put(CONSTRUCTION, (single ? Construction.SINGLE : Construction.GREEDY).id());
    options.put(FILTER, members.keySet().stream().map(this::text).collect(Collectors.joining(",")));
    if (!single) {
      options.put(
          "weights",
          members.values().stream()
              .map(weight -> String.format(Locale.ROOT, "%.4f", weight))
              .collect(Collectors.joining(",")));
    }
    if (given.given().containsKey(ROUNDS)) {
      options.put(ROUNDS, Integer.toString(members.size() - 1));
    }
    return options;
  }

  /** Return a member as an option states it: the settings chosen and those its text had. */
  private String text(Contender contender) {
    Map<String, String> options = new LinkedHashMap<>(contender.candidate.settings());
    String filter = contender.candidate.filter();
    filters(given).stream()
        .filter(own -> own.id().equals(filter))
        .forEach(own -> options.putAll(own.options()));
    return new ProviderChoice(filter, options).toString();
  }
}
