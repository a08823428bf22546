package org.pecf.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The metrics of one training of a study.
 *
 * @param prefixes the test figures with the first member, the first two, and so on to all; only
 *     those of all where members are not added one by one
 * @param validation the validation figures
 * @param perUser the recall of each test user at the first cutoff
 * @param seconds how long it took
 */
record JobResult(
    List<Map<String, Double>> prefixes,
    Map<String, Double> validation,
    double[] perUser,
    double seconds) {
  JobResult {
    prefixes = List.copyOf(prefixes);
    validation = Collections.unmodifiableMap(new LinkedHashMap<>(validation));
  }

  /** Return the test figures of the whole ensemble. */
  Map<String, Double> test() {
    return prefixes.get(prefixes.size() - 1);
  }

  /** Write the result of a request on some data. */
  ObjectNode toJson(String key, String signature, String fingerprint) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("job", key)
            .put("request", signature)
            .put("data", fingerprint);
    ArrayNode tests = json.putArray("test");
    prefixes.forEach(figures -> figures.forEach(tests.addObject()::put));
    ObjectNode node = json.putObject("validation");
    validation.forEach(node::put);
    ArrayNode users = json.putArray("perUser");
    for (double value : perUser) {
      users.add(value);
    }
    return json.put("seconds", seconds);
  }

  static JobResult of(JsonNode json) {
    List<Map<String, Double>> prefixes = new ArrayList<>();
    json.get("test").forEach(figures -> prefixes.add(figures(figures)));
    double[] perUser = new double[json.get("perUser").size()];
    for (int k = 0; k < perUser.length; k++) {
      perUser[k] = json.get("perUser").get(k).asDouble();
    }
    return new JobResult(
        prefixes, figures(json.get("validation")), perUser, json.get("seconds").asDouble());
  }

  private static Map<String, Double> figures(JsonNode json) {
    Map<String, Double> figures = new LinkedHashMap<>();
    json.properties().forEach(entry -> figures.put(entry.getKey(), entry.getValue().asDouble()));
    return figures;
  }
}
