package org.pecf.engine.construct;

import java.util.List;
import org.pecf.engine.ensemble.Ensemble;

/**
 * Hold a grown ensemble.
 *
 * @param ensemble the ensemble, owned by the caller
 * @param rounds what happened, one a trained member, also of those that were dropped again
 * @param complete whether the construction came to its end; if not, it was cancelled, and the
 *     ensemble holds the members finished before
 */
public record BuildResult(Ensemble ensemble, List<MemberFinished> rounds, boolean complete) {
  public BuildResult {
    rounds = List.copyOf(rounds);
  }
}
