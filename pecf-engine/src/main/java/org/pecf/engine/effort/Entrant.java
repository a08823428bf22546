package org.pecf.engine.effort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.filter.SettingsSpace.Axis;
import org.pecf.api.memory.GridShape;
import org.pecf.api.plugin.OptionDescription;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.ShortForm;
import org.pecf.engine.request.TrainingRequest;

/**
 * A filter in a race, with the points of its space that were tried. From the best of them the race
 * steps along one axis at a time, first along the one that helped last.
 */
final class Entrant {
  /** The part of a step below which differences are chance. */
  private static final double SHORTEST = 0.25;

  private static final String ITERATIONS = "iterations";

  private final String filter;
  private final SettingsSpace space;

  private final Map<String, String> given;
  private final Map<String, String> own;
  private final Optional<String> usual;

  private final List<Tried> tried = new ArrayList<>();
  private int direction;

  /** The part of a whole step that is taken, as an exponent of the factors of the axes. */
  private double stride = 1;

  private double spent;

  /** A point that was tried, and its score. */
  private record Tried(double[] point, double score) {}

  /**
   * Enter a filter.
   *
   * @param given the options that stay as they are: texts by option
   * @param own those of them that the filter's own text sets
   * @param usual the iterations unless others are set, if the filter has such an option
   */
  Entrant(
      String filter,
      SettingsSpace space,
      Map<String, String> given,
      Map<String, String> own,
      Optional<String> usual) {
    this.filter = filter;
    this.space = space;
    this.given = given;
    this.own = own;
    this.usual = usual;
  }

  /**
   * Enter a filter, if it states what to try.
   *
   * @param options the options that were given, which stay as they are
   */
  static Optional<Entrant> of(
      String filter,
      RequestOptions options,
      PluginCatalog catalog,
      GridShape shape,
      long positives) {
    BaseFilterProvider<?> provider = catalog.find(ProviderKind.FILTER, filter);
    Map<String, String> own = new LinkedHashMap<>();
    filters(options).stream()
        .filter(choice -> choice.id().equals(filter))
        .forEach(choice -> own.putAll(choice.options()));
    Map<String, String> given = given(provider, options.given());
    given.putAll(own);
    return provider
        .settingsSpace(shape, positives, given)
        .map(space -> new Entrant(filter, space, given, own, iterations(provider)));
  }

  private static Optional<String> iterations(BaseFilterProvider<?> provider) {
    return provider.options().descriptions().stream()
        .filter(option -> option.key().equals(ITERATIONS))
        .map(OptionDescription::defaultValue)
        .findFirst();
  }

  /** Return whether a filter has settings to choose beside those that were given. */
  static boolean hasChoices(String filter, RequestOptions options, PluginCatalog catalog) {
    return of(filter, options, catalog, new GridShape(100, 100), 1000)
        .filter(entrant -> !entrant.settings(entrant.start()).isEmpty())
        .isPresent();
  }

  /** Return the filters that were given, with the options that their text sets. */
  static List<ProviderChoice> filters(RequestOptions options) {
    String text = options.given().get("filter");
    return TrainingRequest.of(text == null ? Map.of() : Map.of("filter", text))
        .ensemble()
        .filters();
  }

  /** Return the options of a filter that were given beside its text: texts by option. */
  private static Map<String, String> given(
      BaseFilterProvider<?> provider, Map<String, String> options) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String key : provider.options().keys()) {
      if (ShortForm.isOfFilters(key)) {
        put(given, key, options.get(key));
      }
      put(given, key, options.get(provider.describe().id() + "." + key));
    }
    put(given, ProviderKind.CONFIDENCE, options.get(ProviderKind.CONFIDENCE));
    return given;
  }

  private static void put(Map<String, String> texts, String key, @Nullable String text) {
    if (text != null) {
      texts.put(key, text);
    }
  }

  String filter() {
    return filter;
  }

  /** Return the point that suits most data. */
  double[] start() {
    return space.axes().stream().mapToDouble(Axis::start).toArray();
  }

  /** Return the settings of a point: texts by option, those that were given left out. */
  Map<String, String> settings(double[] point) {
    Map<String, String> texts = new LinkedHashMap<>(space.settings().apply(point.clone()));
    texts.keySet().removeAll(given.keySet());
    return texts;
  }

  /** Return the settings of a point with half of the iterations, if there are any to save on. */
  Map<String, String> shorter(double[] point) {
    Map<String, String> shorter = settings(point);
    iterations(point).ifPresent(text -> shorter.put(ITERATIONS, text));
    return shorter;
  }

  /** Return half of the iterations of a filter that has such an option and was not given it. */
  Optional<String> iterations(double[] point) {
    if (given.containsKey(ITERATIONS)) {
      return Optional.empty();
    }
    return Optional.ofNullable(settings(point).get(ITERATIONS))
        .or(() -> usual)
        .map(text -> Integer.toString((Integer.parseInt(text) + 1) / 2));
  }

  /** Return the choice of the filter with some settings beside all options that were given. */
  ProviderChoice choice(Map<String, String> settings) {
    Map<String, String> options = new LinkedHashMap<>(given);
    options.putAll(settings);
    options.putAll(own);
    return new ProviderChoice(filter, options);
  }

  /** Return the filter with some settings as a text, beside which other options stand. */
  String text(Map<String, String> settings) {
    Map<String, String> options = new LinkedHashMap<>(settings);
    options.putAll(own);
    return new ProviderChoice(filter, options).toString();
  }

  /** Return the work of a training with the settings of a point. */
  double work(double[] point) {
    return space.work().applyAsDouble(point.clone());
  }

  /** Return the point one step from another that takes least work, if one takes less. */
  Optional<double[]> cheaper(double[] point) {
    double[] cheapest = point;
    for (int step = 0; step < 2 * point.length; step++) {
      double[] other = step(point, step);
      if (work(other) < work(cheapest) && !settings(other).equals(settings(point))) {
        cheapest = other;
      }
    }
    return Optional.of(cheapest).filter(other -> other != point);
  }

  /** Return the point a step away, or the same at a bound. */
  private double[] step(double[] point, int step) {
    Axis axis = space.axes().get(step / 2);
    double[] other = point.clone();
    double moved = other[step / 2] * Math.pow(axis.factor(), step % 2 == 0 ? stride : -stride);
    other[step / 2] = Math.max(axis.least(), Math.min(axis.most(), moved));
    return other;
  }

  /** Return the next point to try, if any is left: beside the best one, in ever shorter steps. */
  Optional<double[]> next() {
    Optional<double[]> next = isMeasured() ? beside() : Optional.empty();
    while (next.isEmpty() && isMeasured() && stride > SHORTEST) {
      stride /= 2;
      next = beside();
    }
    return next;
  }

  private Optional<double[]> beside() {
    double[] best = best().point;
    int steps = 2 * best.length;
    for (int k = 0; k < steps; k++) {
      double[] other = step(best, (direction + k) % steps);
      if (tried.stream().noneMatch(of -> settings(of.point).equals(settings(other)))) {
        return Optional.of(other);
      }
    }
    return Optional.empty();
  }

  /**
   * Note the score of a point.
   *
   * @param score the score, the higher the better; NaN if it could not be trained
   */
  void measured(double[] point, double score, double work) {
    boolean better = isMeasured() && score > best().score;
    if (better) {
      double[] from = best().point;
      for (int step = 0; step < 2 * point.length; step++) {
        if (Arrays.equals(step(from, step), point)) {
          direction = step;
        }
      }
    }
    tried.add(new Tried(point.clone(), score));
    spent += work;
  }

  /** Return whether a point could be trained. */
  boolean isMeasured() {
    return tried.stream().anyMatch(of -> !Double.isNaN(of.score));
  }

  /** Return the number of points that were tried. */
  int tried() {
    return tried.size();
  }

  /** Return the work so far. */
  double spent() {
    return spent;
  }

  /** Return the points from the best to the worst, those that could be trained. */
  private List<Tried> ranked() {
    return tried.stream()
        .filter(of -> !Double.isNaN(of.score))
        .sorted((one, other) -> Double.compare(other.score, one.score))
        .toList();
  }

  private Tried best() {
    return ranked().get(0);
  }

  /** Return the point of a rank, from 0 for the best, if there is one. */
  Optional<double[]> point(int rank) {
    List<Tried> ranked = ranked();
    return rank < ranked.size() ? Optional.of(ranked.get(rank).point) : Optional.empty();
  }

  /** Return the score of the best point. */
  double score() {
    return best().score;
  }

  /**
   * Return the names of the axes along which not both whole steps from the best point were tried:
   * better settings may lie further.
   */
  List<String> open() {
    List<String> open = new ArrayList<>();
    if (stride < 1) {
      return open;
    }
    double[] best = best().point;
    for (int axis = 0; axis < best.length; axis++) {
      for (int step : new int[] {2 * axis, 2 * axis + 1}) {
        Map<String, String> beside = settings(step(best, step));
        if (tried.stream().noneMatch(of -> settings(of.point).equals(beside))
            && !open.contains(space.axes().get(axis).name())) {
          open.add(space.axes().get(axis).name());
        }
      }
    }
    return open;
  }
}
