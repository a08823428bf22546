package org.pecf.study;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.ProviderSelection;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;

/**
 * The settings that the methods of a study have in common.
 *
 * @param pecf the progressive construction; the other methods differ from it only in what defines
 *     them. Its EM settings give the largest number of components
 * @param step the alpha strategy of methods that add up residuals
 * @param others the installed filters that are methods by themselves, by id
 * @param tuned the methods with a setting of their own; data, split, seed and metrics are the
 *     common ones for all
 */
public record StudyBase(
    TrainingRequest pecf,
    ProviderChoice step,
    Map<String, ProviderChoice> others,
    Map<Method, TrainingRequest> tuned) {
  /** The options that a study of many methods decides for itself. */
  private static final List<String> DECIDED =
      List.of("construction", "filter", "weighting", "alpha", "em-start", "patience", "chains");

  public StudyBase {
    others = Collections.unmodifiableMap(new LinkedHashMap<>(others));
    tuned = Collections.unmodifiableMap(new LinkedHashMap<>(tuned));
  }

  /**
   * Return the options that a study has instead of the usual defaults: texts by key. Lists are as
   * long as the paper's.
   */
  public static Map<String, String> defaults(boolean quick) {
    Map<String, String> texts = new LinkedHashMap<>(Map.of("cutoffs", "50,100,200"));
    texts.putAll(
        quick
            ? Map.of(
                "rounds",
                "2",
                "rank",
                "8",
                "iterations",
                "3",
                "em-iterations",
                "3",
                "components",
                "2")
            : Map.of("rounds", "15", "components", "8"));
    return texts;
  }

  /**
   * Return the base that options describe.
   *
   * @param options the options given for all methods
   * @param tuned the methods with a setting of their own
   * @throws org.pecf.api.PecfException if an option is unknown, wrong or decided by the study
   */
  public static StudyBase of(
      RequestOptions options, PluginCatalog catalog, Map<Method, TrainingRequest> tuned) {
    options.refuse(DECIDED, "in a study, which compares methods of its own. Leave it out.");
    TrainingRequest described = described(options);
    checkMeasure(described);
    ProviderSelection providers = new ProviderSelection(catalog);
    providers.use(ProviderKind.FILTER, described.ensemble().filters().get(0));
    providers.use(ProviderKind.WEIGHTING, described.ensemble().weighting());
    providers.use(ProviderKind.ALPHA, described.ensemble().alpha());
    providers.use(
        ProviderKind.ALPHA,
        Optional.ofNullable(options.given().get("shrinkage"))
            .map(shrinkage -> ProviderChoice.parse("fixed:" + shrinkage))
            .orElse(Construction.L2BOOST.defaultAlpha()));
    providers.setShortForms(options);
    List<String> others =
        Method.filters().stream().filter(catalog.ids(ProviderKind.FILTER)::contains).toList();
    String rank = options.given().get("rank");
    for (String other : others) {
      ProviderChoice filter = ProviderChoice.of(other);
      if (rank != null
          && options.settings().keySet().stream().noneMatch(key -> key.endsWith(other + ".rank"))
          && catalog.find(ProviderKind.FILTER, other).options().keys().contains("rank")) {
        filter = filter.with("rank", rank);
      }
      providers.use(ProviderKind.FILTER, filter);
    }
    providers.use(ProviderKind.BACKEND, described.compute().backend());
    providers.use(ProviderKind.LOADER, described.data().format());
    providers.set(options.settings());
    List<ProviderChoice> filters = providers.choices(ProviderKind.FILTER);
    Map<String, ProviderChoice> standing = new LinkedHashMap<>();
    for (int k = 0; k < others.size(); k++) {
      standing.put(others.get(k), filters.get(k + 1));
    }
    return new StudyBase(
        described
            .withData(described.data().withFormat(providers.choice(ProviderKind.LOADER)))
            .withCompute(described.compute().withBackend(providers.choice(ProviderKind.BACKEND)))
            .withEnsemble(
                described
                    .ensemble()
                    .withFilters(filters.subList(0, 1))
                    .withWeighting(providers.choice(ProviderKind.WEIGHTING))
                    .withAlpha(providers.choice(ProviderKind.ALPHA))),
        providers.choices(ProviderKind.ALPHA).get(1),
        standing,
        tuned);
  }

  /** Return the request of the options that are no short forms and no settings of plugins. */
  private static TrainingRequest described(RequestOptions options) {
    Map<String, String> own = new LinkedHashMap<>(options.given());
    own.keySet().retainAll(TrainingRequest.SCHEMA.keys());
    return TrainingRequest.of(own);
  }

  private static void checkMeasure(TrainingRequest request) {
    MetricKey measure = request.ensemble().selection();
    if (!measure.ofUsers() || !request.evaluation().cutoffs().contains(measure.cutoff())) {
      throw PecfException.badOption(
          "Methods cannot be compared by %s, which is not measured user by user: cutoffs are %s."
              + " Select a metric such as %s.",
          measure, request.evaluation().cutoffs(), request.evaluation().usual());
    }
  }

  /** Return the metric that methods are compared by, user by user. */
  MetricKey measure() {
    return pecf.ensemble().selection();
  }

  /** Return the setting of a method that has one of its own. */
  Optional<TrainingRequest> own(Method method) {
    return Optional.ofNullable(tuned.get(method))
        .map(setting -> pecf.withEnsemble(setting.ensemble()));
  }
}
