package org.pecf.engine.construct;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.evaluate.EvaluationReport;

/**
 * A grown ensemble and its history.
 *
 * @param ensemble the ensemble, owned by the caller
 * @param kept which of the plan's members, counted from 0, the members of the ensemble are
 * @param rounds one event per trained member, also of members that were dropped again
 * @param validation the metrics of exactly this ensemble on the validation part, if the
 *     construction measured it
 * @param complete whether the construction came to its end; if not, it was cancelled, and the
 *     ensemble holds the members finished before
 */
public record BuildResult(
    Ensemble ensemble,
    List<Integer> kept,
    List<MemberFinished> rounds,
    Optional<EvaluationReport> validation,
    boolean complete) {
  public BuildResult {
    rounds = List.copyOf(rounds);
    kept = List.copyOf(kept);
  }

  /** Return the result of a construction whose first members stayed. */
  static BuildResult ofFirst(
      Ensemble ensemble,
      List<MemberFinished> rounds,
      Optional<EvaluationReport> validation,
      boolean complete) {
    List<Integer> first = IntStream.range(0, ensemble.size()).boxed().toList();
    return new BuildResult(ensemble, first, rounds, validation, complete);
  }
}
