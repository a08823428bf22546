package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The metrics of one training of a study, as they are stored.
 *
 * @param job the name of the training
 * @param request the request that was trained
 * @param data the fingerprint of the data
 * @param prefixes the test metrics with the first member, the first two, and so on to all; only
 *     those of all where members are not added one by one
 * @param validation the validation metrics
 * @param perUser the recall of each test user at the first cutoff
 * @param seconds how long it took
 */
record JobResult(
    String job,
    String request,
    String data,
    @JsonProperty("test") List<Map<String, Double>> prefixes,
    Map<String, Double> validation,
    double[] perUser,
    double seconds) {
  JobResult {
    prefixes = List.copyOf(prefixes);
    validation = Collections.unmodifiableMap(new LinkedHashMap<>(validation));
  }

  /** Return the test metrics of the whole ensemble. */
  Map<String, Double> test() {
    return prefixes.get(prefixes.size() - 1);
  }
}
