package org.pecf.engine.evaluate;

import java.util.List;
import java.util.TreeSet;

/**
 * Say what to measure.
 *
 * @param cutoffs the list lengths M, ascending
 * @param candidates which items are ranked
 */
public record EvaluationRequest(List<Integer> cutoffs, CandidatePolicy candidates) {
  /** Measure at 50, 100 and 200 items, ranking all items but the training positives. */
  public static EvaluationRequest standard() {
    return new EvaluationRequest(List.of(50, 100, 200), CandidatePolicy.ALL_BUT_TRAINING);
  }

  public EvaluationRequest {
    cutoffs = List.copyOf(new TreeSet<>(cutoffs));
    if (cutoffs.isEmpty() || cutoffs.get(0) < 1) {
      throw new IllegalArgumentException("cutoffs must be at least 1, not " + cutoffs);
    }
  }
}
