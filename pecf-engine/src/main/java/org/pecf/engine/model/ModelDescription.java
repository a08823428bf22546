package org.pecf.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The provenance of a model, from which it can be trained again.
 *
 * @param pecfVersion the version of PECF that trained it
 * @param created the time of its training; given by the caller, so that equal runs can give equal
 *     bytes
 * @param complete whether the run came to its end; if not, it was interrupted, and the model holds
 *     the members finished before
 * @param seed the root of all randomness of the run
 * @param dataFingerprint the fingerprint of the data it was trained on
 * @param request the effective options of the run, as JSON
 * @param plugins the version of each plugin used, by id
 * @param metrics the value of each metric by its key, by part of the split, in display order
 * @param metricsOf the ensemble that the metrics belong to, in words
 */
public record ModelDescription(
    String pecfVersion,
    Instant created,
    boolean complete,
    long seed,
    String dataFingerprint,
    String request,
    Map<String, String> plugins,
    Map<String, Map<String, Double>> metrics,
    String metricsOf) {
  /** The words for metrics of the model itself. */
  public static final String THIS_MODEL = "this model";

  public ModelDescription {
    Objects.requireNonNull(metricsOf);
    Objects.requireNonNull(pecfVersion);
    Objects.requireNonNull(created);
    Objects.requireNonNull(dataFingerprint);
    Objects.requireNonNull(request);
    plugins = Collections.unmodifiableMap(new TreeMap<>(plugins));
    Map<String, Map<String, Double>> copy = new LinkedHashMap<>();
    metrics.forEach(
        (part, values) -> copy.put(part, Collections.unmodifiableMap(new LinkedHashMap<>(values))));
    metrics = Collections.unmodifiableMap(copy);
  }
}
