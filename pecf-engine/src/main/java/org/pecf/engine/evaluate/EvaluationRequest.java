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
  public EvaluationRequest {
    cutoffs = List.copyOf(new TreeSet<>(cutoffs));
    if (cutoffs.isEmpty() || cutoffs.get(0) < 1) {
      throw new IllegalArgumentException("cutoffs must be at least 1, not " + cutoffs);
    }
  }
}
