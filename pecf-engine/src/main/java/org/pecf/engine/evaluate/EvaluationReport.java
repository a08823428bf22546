package org.pecf.engine.evaluate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.pecf.api.data.Part;

/** The metrics of one evaluation on one part. Immutable. */
public final class EvaluationReport {
  private final Part part;
  private final EvaluationRequest request;
  private final UserHits hits;
  private final long positives;
  private final Map<MetricKey, Double> values;

  EvaluationReport(
      Part part,
      EvaluationRequest request,
      UserHits hits,
      long positives,
      Map<MetricKey, Double> values) {
    this.part = part;
    this.request = request;
    this.hits = hits;
    this.positives = positives;
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Return the part evaluated. */
  public Part part() {
    return part;
  }

  /** Return the request: the cutoffs and the items ranked. */
  public EvaluationRequest request() {
    return request;
  }

  /** Return how many users have positives in the part: the averages are over these. */
  public int usersCounted() {
    return hits.count();
  }

  /** Return how many positives the part holds. */
  public long positives() {
    return positives;
  }

  /** Return all metrics in display order. */
  public Map<MetricKey, Double> values() {
    return values;
  }

  /** Return all metrics by the text of their keys, in display order. */
  public Map<String, Double> named() {
    Map<String, Double> named = new LinkedHashMap<>();
    values.forEach((key, value) -> named.put(key.toString(), value));
    return Collections.unmodifiableMap(named);
  }

  /** Return one metric by a key such as {@code recall@50}, at a cutoff of the request. */
  public double value(String key) {
    return value(MetricKey.parse(key));
  }

  /** Return one metric. */
  public double value(MetricKey key) {
    return Objects.requireNonNull(values.get(checkKey(key)));
  }

  /** Return the definition of every metric in the report, by the metric's id. */
  public Map<String, String> definitions() {
    Map<String, String> definitions = new LinkedHashMap<>();
    values
        .keySet()
        .forEach(key -> definitions.putIfAbsent(key.metric().id(), key.metric().definition()));
    return Collections.unmodifiableMap(definitions);
  }

  /** Return the users counted, ascending. */
  public int[] users() {
    return hits.users();
  }

  /**
   * Return a metric's value for each user counted, in the order of {@link #users()}, as tests of
   * significance compare them.
   *
   * @param key a metric of users, such as recall, at a cutoff of the request
   */
  public double[] perUser(MetricKey key) {
    return hits.values(checkKey(key));
  }

  /** Return the items of all hits within a cutoff of the request; an item may occur many times. */
  public int[] hits(int cutoff) {
    return hits.hits(cutoff);
  }

  private MetricKey checkKey(MetricKey key) {
    if (!values.containsKey(key)) {
      throw new IllegalArgumentException(key + " was not measured, only " + values.keySet());
    }
    return key;
  }
}
