package org.pecf.engine.construct;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.filter.TrainingContext;
import org.pecf.engine.construct.ConstructionEvent.ChainStarted;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.ensemble.Ensemble;

/**
 * The entry to both loops: builds an ensemble by the loop of its construction, once or as the
 * average of several chains.
 */
public final class EnsembleBuilder {
  private EnsembleBuilder() {}

  /**
   * Build an ensemble.
   *
   * @param em used by construction em only
   * @param cells the cells that members learn from
   * @param validation the part that rounds are measured on, if there is one
   * @param chains the number of independently started ensembles to average, at least 1
   * @param kept the place that keeps finished members, and has them if the run goes on
   */
  public static BuildResult build(
      BuildPlan plan,
      EmSettings em,
      int chains,
      TrainingCells cells,
      Optional<Validation> validation,
      TrainingContext context,
      LoopCheckpoint kept) {
    if (chains == 1) {
      return one(plan, em, cells, validation, context, kept.child("chain-1"));
    }
    List<Ensemble> ensembles = new ArrayList<>();
    List<MemberFinished> rounds = new ArrayList<>();
    boolean complete = true;
    try {
      for (int chain = 0; chain < chains && complete; chain++) {
        context.run().listener().on(new ChainStarted(chain + 1, chains));
        TrainingContext own = context.withSeed(context.seed().child("chain", chain));
        try {
          LoopCheckpoint ofChain = kept.child("chain-" + (chain + 1));
          BuildResult result = one(plan, em, cells, validation, own, ofChain);
          ensembles.add(result.ensemble());
          rounds.addAll(result.rounds());
          complete = result.complete();
        } catch (PecfException e) {
          if (e.code() != ErrorCode.CANCELLED || ensembles.isEmpty()) {
            throw e;
          }
          complete = false;
        }
      }
      return BuildResult.ofFirst(average(ensembles, cells), rounds, Optional.empty(), complete);
    } catch (RuntimeException | Error e) {
      ensembles.forEach(Ensemble::close);
      throw e;
    }
  }

  private static BuildResult one(
      BuildPlan plan,
      EmSettings em,
      TrainingCells cells,
      Optional<Validation> validation,
      TrainingContext context,
      LoopCheckpoint kept) {
    return plan.construction() == Construction.EM
        ? EmLoop.build(plan, em, cells, context, kept)
        : ProgressiveLoop.build(plan, cells, validation, context, kept);
  }

  /** Average ensembles: a weighted sum of weighted sums is one weighted sum. */
  private static Ensemble average(List<Ensemble> ensembles, TrainingCells cells) {
    Ensemble average = new Ensemble(cells.shape());
    for (Ensemble ensemble : ensembles) {
      average.addAll(ensemble, ensembles.size());
    }
    return average;
  }
}
