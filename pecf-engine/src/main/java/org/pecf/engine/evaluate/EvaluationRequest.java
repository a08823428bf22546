package org.pecf.engine.evaluate;

import java.util.List;
import java.util.TreeSet;
import org.pecf.engine.split.SplitRule;

/**
 * The cutoffs and candidates of an evaluation.
 *
 * @param cutoffs the list lengths M, ascending
 * @param candidates the items that are ranked
 */
public record EvaluationRequest(List<Integer> cutoffs, CandidatePolicy candidates) {
  /** The default list lengths. */
  public static final List<Integer> CUTOFFS = List.of(50, 100, 200);

  /** Measure at 50, 100 and 200 items, ranking the items that are usual with a split. */
  public static EvaluationRequest standard(SplitRule split) {
    return new EvaluationRequest(CUTOFFS, CandidatePolicy.usual(split));
  }

  public EvaluationRequest {
    cutoffs = List.copyOf(new TreeSet<>(cutoffs));
    if (cutoffs.isEmpty() || cutoffs.get(0) < 1) {
      throw new IllegalArgumentException("cutoffs must be at least 1, not " + cutoffs);
    }
  }

  /** Return the protocol behind the metrics in one line: the split and the items ranked. */
  public String protocol(SplitRule split) {
    return "split " + split + "; ranked: " + candidates.description();
  }
}
