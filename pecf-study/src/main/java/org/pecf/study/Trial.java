package org.pecf.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The outcome of one training of a search.
 *
 * @param number which setting, counted from 1
 * @param rung which rung, counted from 1
 * @param budget how many rounds or sweeps it had; 0 for as many as the setting says
 * @param setting the values by option
 * @param score the validation metric that decides; NaN if the training failed
 * @param validation all validation metrics
 * @param failure why there is no score
 * @param seconds how long it took
 */
public record Trial(
    int number,
    int rung,
    int budget,
    Map<String, String> setting,
    double score,
    Map<String, Double> validation,
    Optional<String> failure,
    double seconds) {
  public Trial {
    setting = Collections.unmodifiableMap(new LinkedHashMap<>(setting));
    validation = Collections.unmodifiableMap(new LinkedHashMap<>(validation));
  }

  /** Return whether there is a score. */
  public boolean succeeded() {
    return failure.isEmpty();
  }

  ObjectNode toJson() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("trial", number)
            .put("rung", rung)
            .put("budget", budget);
    ObjectNode values = json.putObject("setting");
    setting.forEach(values::put);
    if (succeeded()) {
      json.put("score", score);
      ObjectNode metrics = json.putObject("validation");
      validation.forEach(metrics::put);
    } else {
      json.put("failure", failure.get());
    }
    return json.put("seconds", seconds);
  }

  static Trial of(JsonNode json) {
    Map<String, String> setting = new LinkedHashMap<>();
    json.path("setting")
        .properties()
        .forEach(entry -> setting.put(entry.getKey(), entry.getValue().asText()));
    Map<String, Double> validation = new LinkedHashMap<>();
    json.path("validation")
        .properties()
        .forEach(entry -> validation.put(entry.getKey(), entry.getValue().asDouble()));
    return new Trial(
        json.path("trial").asInt(),
        json.path("rung").asInt(),
        json.path("budget").asInt(),
        setting,
        json.path("score").asDouble(Double.NaN),
        validation,
        json.has("failure") ? Optional.of(json.get("failure").asText()) : Optional.empty(),
        json.path("seconds").asDouble());
  }
}
