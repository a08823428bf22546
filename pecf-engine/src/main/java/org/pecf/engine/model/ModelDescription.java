package org.pecf.engine.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Say where a model came from: enough to train it again.
 *
 * @param pecfVersion the version of PECF that trained it
 * @param created when; given by the caller, so that equal runs can give equal bytes
 * @param seed the root of all randomness of the run
 * @param dataFingerprint which data it was trained on
 * @param request the effective options of the run
 * @param plugins the version of each plugin used, by id
 * @param metrics figures by metric key, by part of the split, in the order to show them
 */
public record ModelDescription(
    String pecfVersion,
    Instant created,
    long seed,
    String dataFingerprint,
    JsonNode request,
    Map<String, String> plugins,
    Map<String, Map<String, Double>> metrics) {
  public ModelDescription {
    Objects.requireNonNull(pecfVersion);
    Objects.requireNonNull(created);
    Objects.requireNonNull(dataFingerprint);
    request = request.deepCopy();
    plugins = Collections.unmodifiableMap(new TreeMap<>(plugins));
    Map<String, Map<String, Double>> copy = new LinkedHashMap<>();
    metrics.forEach(
        (part, figures) ->
            copy.put(part, Collections.unmodifiableMap(new LinkedHashMap<>(figures))));
    metrics = Collections.unmodifiableMap(copy);
  }
}
