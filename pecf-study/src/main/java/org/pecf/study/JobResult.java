package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The metrics of one training of a study, as they are stored.
 *
 * @param job the name of the training
 * @param request the request that was trained
 * @param data the fingerprint of the data
 * @param prefixes the test metrics with the first member, the first two, and so on to all; only
 *     those of all where members are not added one by one
 * @param validation the validation metrics
 * @param measure the metric that methods are compared by; none in folders of older versions, which
 *     compared them by recall at the first cutoff
 * @param perUser that metric of each test user
 * @param seconds how long training and measuring took
 * @param processorSeconds the processor seconds that this took, all threads together; none in
 *     folders of older versions
 */
record JobResult(
    String job,
    String request,
    String data,
    @JsonProperty("test") List<Map<String, Double>> prefixes,
    Map<String, Double> validation,
    Optional<String> measure,
    double[] perUser,
    double seconds,
    Optional<Double> processorSeconds) {
  JobResult {
    prefixes = List.copyOf(prefixes);
    validation = Collections.unmodifiableMap(new LinkedHashMap<>(validation));
  }

  /** Return the test metrics of the whole ensemble. */
  Map<String, Double> test() {
    return prefixes.get(prefixes.size() - 1);
  }
}
