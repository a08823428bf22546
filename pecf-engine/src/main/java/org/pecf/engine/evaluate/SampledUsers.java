package org.pecf.engine.evaluate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The share of users that an evaluation measured, and the errors that this brings.
 *
 * @param measured how many users were measured
 * @param all how many have positives in the part
 * @param standardErrors the standard error of each metric that is averaged over users, by the text
 *     of its key, in display order; see {@link UserSample#standardError}
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
