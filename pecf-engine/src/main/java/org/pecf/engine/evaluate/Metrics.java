package org.pecf.engine.evaluate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.pecf.api.PecfException;
import org.pecf.api.evaluate.Metric;
import org.pecf.api.plugin.NoOptions;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;

/** The metrics that an evaluation measures: those of the program, and others that are asked for. */
public final class Metrics {
  private static final String COVERAGE_DEFINITION =
      "distinct items among the first M items of any user with held-out positives / all items";
  private static final String WMSE_DEFINITION =
      "sum of c (r - f)^2 / sum of c over the held-out cells, zeros included: the cells of the part"
          + " if all cells were divided, else the part's positives and the zeros of the data";

  private static final Metrics STANDARD =
      new Metrics(new EvaluationRequest(List.of(1), CandidatePolicy.ALL));

  private final EvaluationRequest request;
  private final Map<String, Metric> ofUsers = new LinkedHashMap<>();
  private final Map<String, String> definitions = new LinkedHashMap<>();

  private Metrics(EvaluationRequest request) {
    this.request = request;
    StandardMetrics.all()
        .forEach(
            (id, provider) ->
                add(id, provider.describe().summary(), provider.create(new NoOptions())));
    definitions.put(MetricKey.COVERAGE, COVERAGE_DEFINITION);
    definitions.put(MetricKey.WMSE, WMSE_DEFINITION);
  }

  private void add(String id, String definition, Metric metric) {
    ofUsers.put(id, metric);
    definitions.put(id, definition);
  }

  /** Return whether metrics are measured by every evaluation. */
  public static boolean areStandard(Collection<String> ids) {
    return STANDARD.definitions.keySet().containsAll(ids);
  }

  /** Return the metrics of a request that asks for none of a plugin. */
  public static Metrics of(EvaluationRequest request) {
    if (!areStandard(request.metrics())) {
      throw new IllegalArgumentException(request.metrics() + " need a catalog of plugins");
    }
    return new Metrics(request);
  }

  /**
   * Find the metrics of a request.
   *
   * @throws PecfException if there is no such metric
   */
  public static Metrics of(EvaluationRequest request, PluginCatalog catalog) {
    Metrics metrics = new Metrics(request);
    for (String id : request.metrics()) {
      if (!areStandard(List.of(id))) {
        metrics.add(
            id,
            catalog.find(ProviderKind.METRIC, id).describe().summary(),
            catalog.metric(ProviderChoice.of(id)));
      }
    }
    return metrics;
  }

  /** Return the request. */
  public EvaluationRequest request() {
    return request;
  }

  /** List the keys of all metrics, in the order of reports. */
  public List<MetricKey> keys() {
    List<MetricKey> keys = new ArrayList<>();
    ofUsers.keySet().forEach(id -> add(id, keys));
    add(MetricKey.COVERAGE, keys);
    keys.add(new MetricKey(MetricKey.WMSE, 0));
    return List.copyOf(keys);
  }

  private void add(String id, List<MetricKey> keys) {
    request.cutoffs().forEach(cutoff -> keys.add(new MetricKey(id, cutoff)));
  }

  /**
   * Return the value of a metric for each user.
   *
   * @param key a metric of users
   */
  public double[] values(MetricKey key, UserHits hits) {
    Metric metric = ofUsers.get(key.metric());
    if (metric == null) {
      throw new IllegalArgumentException(key + " has no value for a single user");
    }
    double[] values = hits.values(metric, key.cutoff());
    for (double value : values) {
      if (!Double.isFinite(value)) {
        throw PecfException.pluginFault(
            "%s returned %s for a user. Tell its author.",
            PluginCatalog.nameOf(metric, "metric " + key.metric()), value);
      }
    }
    return values;
  }

  /** Return the definition of a metric in one sentence, for reports. */
  String definition(String metric) {
    return Objects.requireNonNull(definitions.get(metric), metric);
  }

  /** Return the definition of a metric of the program. */
  public static String definitionOf(String metric) {
    return STANDARD.definition(metric);
  }
}
