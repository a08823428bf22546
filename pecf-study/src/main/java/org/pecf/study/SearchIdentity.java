package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.TrainingRequest;

/**
 * The things that the trials of a search depend on, as its folder keeps them. The number of trials
 * is not among them: a search can go on with more.
 *
 * @param search the ranges by option
 * @param base the options that all trainings share
 * @param data the fingerprint of the data
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record SearchIdentity(
    Map<String, String> search,
    TuneSettings.Strategy strategy,
    Optional<Budget> budget,
    Optional<Integer> reduction,
    @JsonProperty("tune-seed") long seed,
    MetricKey select,
    String base,
    String data) {
  static SearchIdentity of(TuneSettings settings, TrainingRequest base, String fingerprint) {
    Map<String, String> search = new LinkedHashMap<>();
    settings.space().parameters().forEach(option -> search.put(option.key(), option.spec()));
    Optional<TuneSettings> halving =
        Optional.of(settings).filter(s -> s.strategy() == TuneSettings.Strategy.HALVING);
    return new SearchIdentity(
        search,
        settings.strategy(),
        halving.map(found -> found.budget(base)),
        halving.flatMap(TuneSettings::reduction),
        settings.seed(),
        base.ensemble().selection(),
        RequestIdentity.text(base),
        fingerprint);
  }

  /**
   * Return whether an earlier search is the same.
   *
   * @param options the request that all trainings of this one share
   */
  boolean continues(SearchIdentity earlier, TrainingRequest options, PluginCatalog catalog) {
    return RequestIdentity.same(earlier.base, options, catalog)
        && equals(
            new SearchIdentity(
                earlier.search,
                earlier.strategy,
                earlier.budget,
                earlier.reduction,
                earlier.seed,
                earlier.select,
                base,
                earlier.data));
  }

  /** Describe the first difference from another search: {@code reduction is 2 there, 3 here}. */
  String differenceFrom(SearchIdentity other) {
    Map<String, Object> here = JsonText.fields(this);
    Map<String, Object> there = JsonText.fields(other);
    Set<String> names = new LinkedHashSet<>(there.keySet());
    names.addAll(here.keySet());
    String name =
        names.stream()
            .filter(field -> !Objects.equals(here.get(field), there.get(field)))
            .findFirst()
            .orElseThrow();
    return String.format(
        "%s is %s there, %s here",
        name, there.getOrDefault(name, "not given"), here.getOrDefault(name, "not given"));
  }
}
