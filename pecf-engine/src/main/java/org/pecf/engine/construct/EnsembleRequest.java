package org.pecf.engine.construct;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;

/**
 * The ensemble that a run is asked for.
 *
 * @param patience the number of rounds without a better validation metric after which to stop and
 *     go back to the best; 0 keeps all rounds
 * @param em the settings of construction em
 */
public record EnsembleRequest(
    @Option(value = "How members come together", defaultValue = "progressive")
        Construction construction,
    @Option(
            value =
                "The base filters, used in turn, each with settings of its own if wanted:"
                    + " wmf:rank=300:confidence=1:0.003,rp3beta",
            key = "filter",
            label = "ID[:OPTION=VALUE]...,...",
            defaultValue = EnsembleRequest.DEFAULT_FILTER)
        List<ProviderChoice> filters,
    @Option(
            value =
                "The largest number of members added to the first; greedy has one at least for each"
                    + " filter",
            defaultValue = "4",
            min = 0)
        int rounds,
    @Option(
            value = "Stop after this many rounds without a better validation metric; 0 for never",
            defaultValue = "0",
            min = 0)
        int patience,
    @Option(
            value = "The validation metric that patience and fitted weights go by",
            key = "select",
            label = "METRIC",
            defaultValue = "",
            unset = "recall at 50, or else at the first cutoff")
        MetricKey selection,
    @Option(
            value =
                "The weights of a positive and of a zero, and if wanted the exponent by which zeros"
                    + " of popular items weigh more",
            label = "P:Z[:G]",
            defaultValue = "1:0.01")
        Confidence confidence,
    @Option(
            value = "How cells are weighted for the next member",
            label = "ID",
            defaultValue = "",
            unset = "by the construction")
        ProviderChoice weighting,
    @Option(
            value = "How much a new member counts: dynamic, fixed:0.4 or uniform",
            label = "ID",
            defaultValue = "",
            unset = "by the construction")
        ProviderChoice alpha,
    @Option(
            value =
                "The members' weights in the end: joined (as they joined), selected (step by step,"
                    + " the best on validation), stacked (the likeliest on validation, of either"
                    + " sign) or numbers such as 0.5,0.3,0.2",
            label = "RULE",
            defaultValue = "",
            unset = "by the construction")
        MemberWeights weights,
    @Option(
            value = "The number of independently started ensembles to average",
            defaultValue = "1",
            min = 1)
        int chains,
    EmSettings em) {
  /** The base filter where none is named. */
  public static final String DEFAULT_FILTER = "wmf";

  /** The options of an ensemble. */
  public static final OptionSchema<EnsembleRequest> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), EnsembleRequest.class);

  /** The options of members that are added one by one. */
  private static final List<String> ADDED =
      List.of("rounds", "patience", "weighting", "alpha", "weights");

  /** The options of members whose weights follow from how they join. */
  private static final List<String> JOINED = List.of("patience", "alpha");

  public EnsembleRequest {
    filters = List.copyOf(filters);
    if (filters.isEmpty() || rounds < 0 || patience < 0 || chains < 1) {
      throw new IllegalArgumentException(
          "an ensemble needs a filter and a chain, and no negative rounds or patience");
    }
    filters.forEach(filter -> confidence(filter, confidence));
  }

  /** Return the confidence of the members of a filter: its own, or else that of the ensemble. */
  private static Confidence confidence(ProviderChoice filter, Confidence otherwise) {
    String own = filter.options().get(ProviderKind.CONFIDENCE);
    return own == null ? otherwise : Confidence.parse(own);
  }

  /** Return the confidence of the members of a filter: its own, or else that of the ensemble. */
  public Confidence confidence(ProviderChoice filter) {
    return confidence(filter, confidence);
  }

  /** Return the keys of the options that have no effect on a construction. */
  public static List<String> withoutEffect(Construction construction) {
    List<String> keys = new ArrayList<>();
    if (construction == Construction.SINGLE || construction == Construction.EM) {
      keys.addAll(ADDED);
    }
    if (construction == Construction.GREEDY) {
      keys.addAll(JOINED);
    }
    if (construction != Construction.EM) {
      keys.addAll(EmSettings.SCHEMA.keys());
    }
    return keys;
  }

  /** Return the options that have an effect: texts by key, with the options of plugins. */
  public Map<String, String> texts() {
    Map<String, String> texts = SCHEMA.texts(this);
    texts.keySet().removeAll(withoutEffect(construction));
    if (!selects()) {
      texts.remove("select");
    }
    return texts;
  }

  /** Return whether the ensemble depends on the selected metric. */
  public boolean selects() {
    return patience > 0 || weights.fitted();
  }

  /** Return this request with other filters. */
  public EnsembleRequest withFilters(List<ProviderChoice> changed) {
    return with(construction, changed, weighting, alpha, weights);
  }

  /** Return this request with an option of all filters changed. */
  public EnsembleRequest withFilterOption(String key, String value) {
    return withFilters(filters.stream().map(filter -> filter.with(key, value)).toList());
  }

  /** Return this request with another construction and the plugins that go with it. */
  public EnsembleRequest withConstruction(
      Construction changed, ProviderChoice itsWeighting, ProviderChoice itsAlpha) {
    return with(changed, filters, itsWeighting, itsAlpha, changed.defaultWeights());
  }

  /** Return this request with another weighting scheme. */
  public EnsembleRequest withWeighting(ProviderChoice changed) {
    return with(construction, filters, changed, alpha, weights);
  }

  /** Return this request with another alpha strategy. */
  public EnsembleRequest withAlpha(ProviderChoice changed) {
    return with(construction, filters, weighting, changed, weights);
  }

  /** Return this request with some options changed: texts by key. */
  public EnsembleRequest with(Map<String, String> changes) {
    return SCHEMA.with("", this, changes);
  }

  private EnsembleRequest with(
      Construction itsConstruction,
      List<ProviderChoice> itsFilters,
      ProviderChoice itsWeighting,
      ProviderChoice itsAlpha,
      MemberWeights itsWeights) {
    return new EnsembleRequest(
        itsConstruction,
        itsFilters,
        rounds,
        patience,
        selection,
        confidence,
        itsWeighting,
        itsAlpha,
        itsWeights,
        chains,
        em);
  }
}
