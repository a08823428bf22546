package org.pecf.api.filter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The progress of an unfinished training, beside its factors.
 *
 * @param step the number of steps (sweeps, epochs) that are done, from 1 on
 * @param figures the finite numbers that the next step depends on, by name
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TrainingProgress(int step, Map<String, Double> figures) {
  public TrainingProgress {
    if (step < 1) {
      throw new IllegalArgumentException("there is no progress after " + step + " steps");
    }
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /** Return a figure by its name. */
  public double figure(String name) {
    Double value = figures.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is not among " + figures.keySet());
    }
    return value;
  }
}
