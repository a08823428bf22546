package org.pecf.engine.evaluate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.pecf.api.data.Part;

/** The metrics of one evaluation on one part. Immutable. */
public final class EvaluationReport {
  private final Part part;
  private final Metrics metrics;
  private final UserHits hits;
  private final int users;
  private final long positives;
  private final Map<MetricKey, Double> values;

  EvaluationReport(
      Part part,
      Metrics metrics,
      UserHits hits,
      int users,
      long positives,
      Map<MetricKey, Double> values) {
    this.part = part;
    this.metrics = metrics;
    this.hits = hits;
    this.users = users;
    this.positives = positives;
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Return the part evaluated. */
  public Part part() {
    return part;
  }

  /** Return the request: the cutoffs and the items ranked. */
  public EvaluationRequest request() {
    return metrics.request();
  }

  /**
   * Return how many users the averages are over: those with positives in the part, or a {@linkplain
   * #sampled() sample} of them.
   */
  public int usersCounted() {
    return hits.count();
  }

  /** Return the sample that was measured, if it was not all users with positives in the part. */
  public Optional<SampledUsers> sampled() {
    if (hits.count() == users) {
      return Optional.empty();
    }
    Map<String, Double> errors = new LinkedHashMap<>();
    for (MetricKey key : values.keySet()) {
      if (key.ofUsers()) {
        errors.put(key.toString(), UserSample.standardError(metrics.values(key, hits), users));
      }
    }
    return Optional.of(new SampledUsers(hits.count(), users, errors));
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
    values.keySet().forEach(key -> definitions.put(key.metric(), metrics.definition(key.metric())));
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
    return metrics.values(checkKey(key), hits);
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

  /**
   * The share of users that an evaluation measured, and the errors that this brings.
   *
   * @param measured how many users were measured
   * @param all how many have positives in the part
   * @param standardErrors the standard error of each metric that is averaged over users, by the
   *     text of its key, in display order; see {@link UserSample#standardError}
   */
  public record SampledUsers(int measured, int all, Map<String, Double> standardErrors) {
    public SampledUsers {
      standardErrors = Collections.unmodifiableMap(new LinkedHashMap<>(standardErrors));
    }

    /** Return how many of how many users were measured. */
    @Override
    public String toString() {
      return measured + " of " + all + " users";
    }
  }
}
