package org.pecf.engine.effort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.GridShape;
import org.pecf.api.plugin.Choices;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;

/**
 * A search for settings that suit a data set: candidates made by rule from its shape race on the
 * validation part. Single filters are trained for a few sweeps, the better ones for more, and the
 * best is tried with other ranks. Where the best stands at the edge of what was tried, the search
 * goes on beyond it, for as many trainings as the last heat has. The test part is not looked at,
 * and options that were given are not changed.
 *
 * <p>It applies to filters whose penalties grow with the weight of a row (option {@code
 * frequency-exponent}), for these the rule is made for.
 */
public final class SettingsSearch {
  /** The effort of a training unless it is told another: what little suits nearly always. */
  public static final String AUTO = "auto";

  private static final String NONE = "none";
  private static final String ROUNDS = "rounds";
  private static final String STOP = "patience";

  private final RequestOptions given;
  private final TrainingRequest base;
  private final Effort effort;
  private final RunListener listener;
  private final ToDoubleFunction<TrainingRequest> training;
  private final MetricKey metric;
  private final List<Candidate> measured = new ArrayList<>();
  private final List<PecfException> failures = new ArrayList<>();

  /** The multiples of zero weight, penalty and exponent that settings were made from. */
  private final Map<FilterSettings, double[]> multiples = new LinkedHashMap<>();

  /** The options whose best value was still at the edge when the trainings were used up. */
  private final Set<String> edges = new LinkedHashSet<>();

  private int beyond;

  /**
   * Prepare a search.
   *
   * @param given the options that were given, which stay
   * @param base the request of the training that settings are searched for
   * @param effort the work to spend
   * @param listener is notified of all events
   * @param training trains a request of a single filter and returns the selected metric on the
   *     validation part
   */
  public SettingsSearch(
      RequestOptions given,
      TrainingRequest base,
      Effort effort,
      RunListener listener,
      ToDoubleFunction<TrainingRequest> training) {
    this.given = given;
    this.base = base;
    this.effort = effort;
    this.listener = listener;
    this.training = training;
    this.metric = base.ensemble().selection();
    this.beyond = effort.heats().get(effort.heats().size() - 1).candidates();
  }

  /** Return the keys of the options of a training that a search decides unless they are given. */
  public static Set<String> chosen() {
    return Set.of(
        FilterSettings.RANK, FilterSettings.LAMBDA, FilterSettings.CONFIDENCE, ROUNDS, STOP);
  }

  /**
   * Return the effort to spend on a request.
   *
   * @param asked the name of an effort; {@code none}; or {@code auto}, which is quick if nothing
   *     that a search chooses was given
   * @throws PecfException if there is no such effort, or it would have no effect
   */
  public static Optional<Effort> effort(
      String asked, RequestOptions given, TrainingRequest request) {
    boolean possible =
        request.split().holdsOut()
            && request.ensemble().construction() != Construction.EM
            && request.ensemble().filters().size() == 1
            && filter(request).options().containsKey(FilterSettings.EXPONENT)
            && fixed(given, request).size() < new FilterSettings(1, "", "", "").texts().size();
    List<String> names = new ArrayList<>(List.of(NONE));
    Arrays.stream(Effort.values()).map(Effort::toString).forEach(names::add);
    if (asked.equals(AUTO)) {
      return Optional.of(Effort.QUICK).filter(quick -> possible && fixed(given, request).isEmpty());
    }
    String name = Choices.find("effort", asked, names, Function.identity());
    if (name.equals(NONE)) {
      return Optional.empty();
    }
    if (!possible) {
      throw PecfException.badOption(
          "Option 'effort' has no effect here: settings are searched for one filter with penalties"
              + " by weight, such as wmf, on a split with a validation part, and only those that"
              + " are not given. Leave it out.");
    }
    return Optional.of(Choices.find("effort", name, Effort.class));
  }

  /**
   * Search for settings.
   *
   * @param shape the grid of the data
   * @param positives the number of positives in training
   * @return the settings chosen, and why
   * @throws PecfException if no candidate can be trained
   */
  public SettingsChosen search(GridShape shape, long positives) {
    SettingsRule rule = new SettingsRule(shape, positives, fixed(given, base));
    List<FilterSettings> racing = candidates(rule);
    int all = trainings(racing.size(), effort.ranks().size()) + beyond;
    listener.on(new SearchStarted(effort, all));
    for (int heat = 1; heat <= effort.heats().size(); heat++) {
      racing = race(heat, racing, all);
    }
    FilterSettings best = racing.get(0);
    best = beyond(FilterSettings.LAMBDA, 1, effort.penalties(), best, rule, all);
    best = beyond(FilterSettings.CONFIDENCE, 0, effort.zeros(), best, rule, all);
    best = otherRanks(best, all);
    SettingsChosen chosen = chosen(best, rule);
    listener.on(chosen);
    return chosen;
  }

  private int trainings(int candidates, int ranks) {
    return effort.heats().stream().mapToInt(heat -> Math.min(candidates, heat.candidates())).sum()
        + ranks;
  }

  private List<FilterSettings> candidates(SettingsRule rule) {
    for (double zero : effort.zeros()) {
      for (double penalty : effort.penalties()) {
        for (double exponent : effort.exponents()) {
          multiples.putIfAbsent(
              rule.settings(zero, penalty, exponent, 1), new double[] {zero, penalty, exponent});
        }
      }
    }
    return List.copyOf(multiples.keySet());
  }

  /** Train the first of the candidates and return them, the best first. */
  private List<FilterSettings> race(int heat, List<FilterSettings> candidates, int all) {
    Effort.Heat rules = effort.heats().get(heat - 1);
    Map<FilterSettings, Double> scores = new LinkedHashMap<>();
    for (FilterSettings settings :
        candidates.subList(0, Math.min(candidates.size(), rules.candidates()))) {
      scores.put(settings, measure(settings, heat, rules.sweeps(), all));
    }
    return scores.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(bestFirst()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Go on in the direction in which the best settings stand at an edge, in steps as large as the
   * last one, until one is not better.
   *
   * @param axis which of the multiples the option is made from
   * @param tried its values so far, ascending
   */
  private FilterSettings beyond(
      String key, int axis, List<Double> tried, FilterSettings best, SettingsRule rule, int all) {
    double[] at = Objects.requireNonNull(multiples.get(best));
    int last = tried.size() - 1;
    boolean upper = at[axis] == tried.get(last);
    if (last == 0 || rule.given().containsKey(key) || !upper && at[axis] != tried.get(0)) {
      return best;
    }
    double ratio = upper ? tried.get(last) / tried.get(last - 1) : tried.get(0) / tried.get(1);
    double[] next = at.clone();
    next[axis] *= ratio;
    FilterSettings further = rule.settings(next[0], next[1], next[2], 1);
    if (further.equals(best) || !better(key, further, best, all)) {
      return best;
    }
    multiples.put(further, next);
    List<Double> longer = upper ? List.of(at[axis], next[axis]) : List.of(next[axis], at[axis]);
    return beyond(key, axis, longer, further, rule, all);
  }

  /** Train settings beyond an edge, if trainings are left, and return whether they are better. */
  private boolean better(String key, FilterSettings further, FilterSettings best, int all) {
    if (beyond == 0 || Double.isNaN(lastScore(best))) {
      edges.add(key);
      return false;
    }
    beyond--;
    int heats = effort.heats().size();
    double reached = measure(further, heats + 1, effort.heats().get(heats - 1).sweeps(), all);
    return metric.better(reached, lastScore(best));
  }

  /** Try the best settings with other ranks, from the smallest; stop when one is worse. */
  private FilterSettings otherRanks(FilterSettings best, int all) {
    if (fixed(given, base).containsKey(FilterSettings.RANK)) {
      return best;
    }
    int heat = effort.heats().size();
    int sweeps = effort.heats().get(heat - 1).sweeps();
    FilterSettings leader = best;
    double score = lastScore(best);
    for (double multiple : effort.ranks()) {
      FilterSettings other = best.withRank(multiple * best.rank());
      double reached = measure(other, heat + 1, sweeps, all);
      if (metric.better(reached, score)) {
        leader = other;
        score = reached;
      } else if (multiple > 1) {
        break;
      }
    }
    int last = effort.ranks().size() - 1;
    for (int edge : last < 0 ? new int[0] : new int[] {0, last}) {
      double step = edge == 0 ? 0.5 : 2;
      if (leader.equals(best.withRank(effort.ranks().get(edge) * best.rank()))) {
        FilterSettings further = leader.withRank(step * leader.rank());
        while (!further.equals(leader) && better(FilterSettings.RANK, further, leader, all)) {
          leader = further;
          further = leader.withRank(step * leader.rank());
        }
        break;
      }
    }
    return leader;
  }

  private double lastScore(FilterSettings settings) {
    return measured.stream()
        .filter(candidate -> candidate.settings().equals(settings.texts()))
        .reduce((earlier, later) -> later)
        .orElseThrow()
        .score();
  }

  private Comparator<Double> bestFirst() {
    return (one, other) -> {
      if (one.isNaN() || other.isNaN()) {
        return Boolean.compare(one.isNaN(), other.isNaN());
      }
      return metric.better(one, other) ? -1 : metric.better(other, one) ? 1 : 0;
    };
  }

  private double measure(FilterSettings settings, int heat, int sweeps, int all) {
    double score = train(settings, sweeps);
    Candidate candidate = new Candidate(heat, sweeps, settings.texts(), score);
    measured.add(candidate);
    listener.on(new CandidateMeasured(candidate, measured.size(), all, metric.toString()));
    return score;
  }

  /** Train one filter and return its validation metric, or NaN for settings that do not work. */
  private double train(FilterSettings settings, int sweeps) {
    TrainingRequest request =
        base.withEnsemble(
            base.ensemble()
                .withConstruction(
                    Construction.SINGLE,
                    Construction.SINGLE.defaultWeighting(),
                    Construction.SINGLE.defaultAlpha())
                .with(
                    Map.of(
                        "confidence", settings.confidence(), ROUNDS, "0", STOP, "0", "chains", "1"))
                .withFilterOption("iterations", Integer.toString(sweeps))
                .withFilterOption(FilterSettings.RANK, Integer.toString(settings.rank()))
                .withFilterOption(FilterSettings.LAMBDA, settings.lambda())
                .withFilterOption(FilterSettings.EXPONENT, settings.exponent()));
    try {
      return training.applyAsDouble(request);
    } catch (PecfException e) {
      if (e.code() == ErrorCode.BAD_OPTION || e.code() == ErrorCode.RESOURCES) {
        failures.add(e);
        return Double.NaN;
      }
      throw e;
    }
  }

  private SettingsChosen chosen(FilterSettings best, SettingsRule rule) {
    double score = lastScore(best);
    if (Double.isNaN(score)) {
      // A reason that they share, such as too little memory, is no matter of settings.
      throw failures.isEmpty()
          ? PecfException.badOption(
              "None of %d settings has a finite %s. Give the settings.", measured.size(), metric)
          : failures.get(0);
    }
    Map<String, String> options = new LinkedHashMap<>();
    best.texts()
        .forEach(
            (key, value) -> {
              if (!rule.given().containsKey(key)) {
                options.put(
                    key.equals(FilterSettings.EXPONENT) ? filter(base).id() + "." + key : key,
                    value);
              }
            });
    if (base.ensemble().construction().rounds(1) > 0 && !given.given().containsKey(ROUNDS)) {
      options.put(ROUNDS, Integer.toString(effort.rounds()));
      if (!given.given().containsKey(STOP)) {
        options.put(STOP, Integer.toString(effort.patience()));
      }
    }
    return new SettingsChosen(
        effort, options, reasons(best, rule), measured, score, metric.toString());
  }

  private List<String> reasons(FilterSettings best, SettingsRule rule) {
    List<String> reasons = new ArrayList<>();
    reasons.add(
        String.format(
            Locale.ROOT,
            "%d of %d x %d cells are positives in training, %.2g of all: zeros are tried with"
                + " multiples of that weight.",
            rule.positives(),
            rule.shape().users(),
            rule.shape().items(),
            rule.density()));
    for (String key : best.texts().keySet()) {
      reasons.add(
          rule.given().containsKey(key)
              ? key + " " + best.texts().get(key) + " was given."
              : reason(key, best));
    }
    return reasons;
  }

  /** Say which values of an option were tried, and how well each did at best. */
  private String reason(String key, FilterSettings best) {
    Map<String, Double> byValue = new LinkedHashMap<>();
    for (Candidate candidate : measured) {
      byValue.merge(
          candidate.settings().get(key),
          candidate.score(),
          (one, other) -> bestFirst().compare(one, other) <= 0 ? one : other);
    }
    if (byValue.size() == 1) {
      return String.format(
          Locale.ROOT, "%s %s by rule, without alternatives.", key, best.texts().get(key));
    }
    StringBuilder text = new StringBuilder();
    byValue.forEach(
        (value, score) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(value)
                .append(String.format(Locale.ROOT, " (%.4f)", score)));
    return String.format(
        Locale.ROOT,
        "%s %s of %s.%s",
        key,
        best.texts().get(key),
        text,
        edges.contains(key) ? " That is the edge of what was tried; a step further may help." : "");
  }

  private static ProviderChoice filter(TrainingRequest request) {
    return request.ensemble().filters().get(0);
  }

  /** Return the settings that were given, in either of their forms: texts by option. */
  private static Map<String, String> fixed(RequestOptions given, TrainingRequest request) {
    Map<String, String> fixed = new LinkedHashMap<>();
    for (String key : new FilterSettings(1, "", "", "").texts().keySet()) {
      String ofFilter = filter(request).id() + "." + key;
      if (given.given().containsKey(ofFilter)) {
        fixed.put(key, given.given().get(ofFilter));
      } else if (given.given().containsKey(key)) {
        fixed.put(key, given.given().get(key));
      }
    }
    return fixed;
  }
}
