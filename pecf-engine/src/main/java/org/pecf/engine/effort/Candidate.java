package org.pecf.engine.effort;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A setting that took part in a race.
 *
 * @param heat the heat, counted from 1
 * @param sweeps the sweeps it was trained for
 * @param settings texts by option
 * @param score the validation metric of one filter; NaN if it could not be trained
 */
public record Candidate(int heat, int sweeps, Map<String, String> settings, double score) {
  public Candidate {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }
}
