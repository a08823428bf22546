package org.pecf.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The outcome of one training of a search, as it is stored.
 *
 * @param number which setting, counted from 1
 * @param budget how many rounds or sweeps it had; 0 for as many as the setting says
 * @param setting the values by option
 * @param score the validation metric that decides; empty if the training failed
 * @param validation all validation metrics
 * @param failure why there is no score
 * @param limit the processor seconds beyond which it was given up, if it was
 * @param seconds how long it took
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Trial(
    @JsonProperty("trial") int number,
    int budget,
    Map<String, String> setting,
    OptionalDouble score,
    Map<String, Double> validation,
    Optional<String> failure,
    Optional<Double> limit,
    double seconds) {
  public Trial {
    setting = Collections.unmodifiableMap(new LinkedHashMap<>(setting));
    validation = Collections.unmodifiableMap(new LinkedHashMap<>(validation));
  }

  /** Return whether there is a score. */
  public boolean succeeded() {
    return score.isPresent();
  }
}
