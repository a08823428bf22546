package org.pecf.engine.effort;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A setting of a filter that took part in a race.
 *
 * @param filter the id of the filter
 * @param settings texts by option
 * @param seconds the processor seconds of its training and measurement
 * @param score the validation metric of the filter by itself; NaN if it could not be trained
 */
public record Candidate(String filter, Map<String, String> settings, double seconds, double score) {
  public Candidate {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** Return the filter and its settings in words. */
  String words() {
    return settings.isEmpty() ? filter : filter + " with " + words(settings);
  }

  /** Return settings in words. */
  static String words(Map<String, String> settings) {
    return settings.isEmpty()
        ? "nothing to set"
        : settings.entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
  }
}
