package org.pecf.engine.construct;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.evaluate.EvaluationReport;

/**
 * The members trained so far, with the validation metrics of the ensemble after each of them, and
 * the decision when to stop.
 */
final class RoundHistory {
  private final BuildPlan plan;
  private final List<MemberFinished> rounds = new ArrayList<>();
  private final Map<Integer, EvaluationReport> reports = new HashMap<>();
  private int best;

  RoundHistory(BuildPlan plan) {
    this.plan = plan;
  }

  /**
   * Note that a member has joined.
   *
   * @param round the event
   * @param report the metrics of the ensemble on the validation part, if there is such a part and
   *     they were measured in this process
   */
  void add(MemberFinished round, Optional<EvaluationReport> report) {
    rounds.add(round);
    report.ifPresent(measured -> reports.put(rounds.size(), measured));
    int latest = rounds.size() - 1;
    if (plan.patience() == 0 || round.validation().isEmpty() || better(latest, best)) {
      best = latest;
    }
  }

  private boolean better(int round, int than) {
    return plan.selection().better(selected(round), selected(than));
  }

  private double selected(int round) {
    return Objects.requireNonNull(rounds.get(round).validation().get(plan.selection().toString()));
  }

  /** Return whether the last rounds brought no improvement for as long as the plan is patient. */
  boolean exhausted() {
    return plan.patience() > 0 && rounds.size() - 1 - best >= plan.patience();
  }

  /** Return how many members the best ensemble had. */
  int best() {
    return best + 1;
  }

  /** Return the events, one per member. */
  List<MemberFinished> rounds() {
    return rounds;
  }

  /**
   * Return the validation metrics of the ensemble when it had a number of members, if they were
   * measured in this process.
   */
  Optional<EvaluationReport> validation(int members) {
    return Optional.ofNullable(reports.get(members));
  }
}
