package org.pecf.engine.request;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;

/**
 * The options that were given for a run, as texts; all others are at their defaults.
 *
 * @param given texts by key: an option of {@link TrainingRequest}, a {@link ShortForm}, or the id
 *     of a plugin and its option, such as {@code wmf.rank}
 */
public record RequestOptions(Map<String, String> given) {
  public RequestOptions {
    given = Collections.unmodifiableMap(new LinkedHashMap<>(given));
  }

  /** Return the keys of all options but those of plugins. */
  public static List<String> keys() {
    List<String> keys = new ArrayList<>(TrainingRequest.SCHEMA.keys());
    ShortForm.all().forEach(form -> keys.add(form.key()));
    return keys;
  }

  /** Return these options with some changed or added. */
  public RequestOptions with(Map<String, String> changes) {
    Map<String, String> texts = new LinkedHashMap<>(given);
    texts.putAll(changes);
    return new RequestOptions(texts);
  }

  /** Return these options with others added where they were not given. */
  public RequestOptions withDefaults(Map<String, String> defaults) {
    return new RequestOptions(defaults).with(given);
  }

  /** Return the options of plugins among these: texts by id and option. */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(given);
    settings.keySet().removeIf(key -> !key.contains("."));
    return settings;
  }

  /**
   * Refuse some options where they have no effect.
   *
   * @param keys the keys that must not be given
   * @param because the end of the sentence that says where, and of the remedy
   */
  public void refuse(Collection<String> keys, String because) {
    given.keySet().stream()
        .filter(keys::contains)
        .findFirst()
        .ifPresent(
            key -> {
              throw PecfException.badOption("Option '%s' has no effect %s", key, because);
            });
  }

  /**
   * Return the request that these options describe, with every option of every plugin spelt out.
   *
   * @throws PecfException if an option is unknown, wrong or without effect
   */
  public TrainingRequest request(PluginCatalog catalog) {
    return request(catalog, UnaryOperator.identity());
  }

  /**
   * Return the request that these options describe.
   *
   * @param change a change of the request before options of plugins are given to it
   */
  public TrainingRequest request(PluginCatalog catalog, UnaryOperator<TrainingRequest> change) {
    TrainingRequest request = trial(catalog, change);
    if (!request.ensemble().selects()) {
      refuse(
          List.of("select"),
          "without patience and with weights that are not fitted. Leave it out, or set patience"
              + " to 2, for example.");
    }
    return request;
  }

  /** Return the request of a training that is compared with others by the selected metric. */
  public TrainingRequest trial(PluginCatalog catalog) {
    return trial(catalog, UnaryOperator.identity());
  }

  /**
   * Return the request of a training that is compared with others by the selected metric.
   *
   * @param change a change of the request before options of plugins are given to it
   */
  public TrainingRequest trial(PluginCatalog catalog, UnaryOperator<TrainingRequest> change) {
    TrainingRequest described = change.apply(described());
    EnsembleRequest ensemble = described.ensemble();
    ProviderSelection providers = new ProviderSelection(catalog);
    described
        .evaluation()
        .metrics()
        .forEach(metric -> providers.use(ProviderKind.METRIC, ProviderChoice.of(metric)));
    ensemble.filters().forEach(filter -> providers.use(ProviderKind.FILTER, filter));
    providers.use(ProviderKind.WEIGHTING, ensemble.weighting());
    providers.use(ProviderKind.ALPHA, ensemble.alpha());
    providers.use(ProviderKind.BACKEND, described.compute().backend());
    providers.use(ProviderKind.LOADER, described.data().format());
    providers.set(this);
    return described
        .withData(described.data().withFormat(providers.choice(ProviderKind.LOADER)))
        .withCompute(described.compute().withBackend(providers.choice(ProviderKind.BACKEND)))
        .withEnsemble(
            ensemble
                .withFilters(providers.choices(ProviderKind.FILTER))
                .withWeighting(providers.choice(ProviderKind.WEIGHTING))
                .withAlpha(providers.choice(ProviderKind.ALPHA)));
  }

  /** Return the request without regard to plugins. */
  private TrainingRequest described() {
    Map<String, String> texts = new LinkedHashMap<>(given);
    texts.keySet().removeIf(key -> key.contains(".") || ShortForm.of(key).isPresent());
    checkKeys(texts);
    if (given.containsKey(ShortForm.SHRINKAGE)) {
      texts.putIfAbsent("alpha", "fixed:" + given.get(ShortForm.SHRINKAGE));
    }
    TrainingRequest request = TrainingRequest.of(texts);
    checkEffect(request.ensemble().construction());
    if (request.compute().path() == ComputationPath.DENSE) {
      refuse(
          List.of("weight-error"),
          "on the dense path, which is exact. Leave it out, or choose another path.");
    }
    return request;
  }

  private static void checkKeys(Map<String, String> texts) {
    for (String key : texts.keySet()) {
      if (!keys().contains(key)) {
        throw new Choices("option", keys()).unknown(key);
      }
    }
  }

  /** Refuse options without effect, for their giver believes that they have one. */
  private void checkEffect(Construction construction) {
    List<String> idle = new ArrayList<>(EnsembleRequest.withoutEffect(construction));
    for (ShortForm form : ShortForm.all()) {
      if (idle.contains(form.kind().word())) {
        idle.add(form.key());
      }
    }
    refuse(
        idle,
        String.format(
            "with construction %s, which builds %s. Leave it out, or choose another construction.",
            construction.id(), construction.summary()));
    if (given.containsKey(ShortForm.SHRINKAGE)
        && (given.containsKey("alpha") || !construction.fitsResiduals())) {
      throw PecfException.badOption(
          "Option 'shrinkage' goes with construction l2boost or boosted, and not with option"
              + " 'alpha'. Leave it out.");
    }
  }
}
