package org.pecf.study;

import java.util.List;

/**
 * The outcome of a search.
 *
 * @param trials all trainings, rung by rung, in the order they were done
 * @param best the best of those with all the work
 */
public record TuneResult(List<Trial> trials, Trial best) {
  public TuneResult {
    trials = List.copyOf(trials);
  }
}
