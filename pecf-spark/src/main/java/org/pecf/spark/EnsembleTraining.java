package org.pecf.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.pecf.api.memory.Side;

/**
 * The progressive construction on Spark: the driver holds what is small, the sums, the coordinates
 * and the members' weights; positives and factors stay in the executors.
 */
final class EnsembleTraining {
  private static final System.Logger LOGGER = System.getLogger(EnsembleTraining.class.getName());

  private EnsembleTraining() {}

  /**
   * The members of an ensemble.
   *
   * @param users the factors of users, block by block, by member
   * @param items the factors of items, block by block, by member
   * @param weights the weight of each member
   * @param reports how each was trained
   */
  record Trained(
      JavaRDD<FactorBlock[]> users,
      JavaRDD<FactorBlock[]> items,
      double[] weights,
      List<MemberReport> reports) {
    JavaRDD<FactorBlock[]> side(Side side) {
      return side == Side.USERS ? users : items;
    }
  }

  /** Train an ensemble: each round weighs the cells, trains a member, and lets it join. */
  static Trained run(JavaSparkContext context, TrainingCells grid, TrainingSettings settings) {
    MemberSweeps training = new MemberSweeps(context, grid, settings);
    Reweighting reweighting = new Reweighting(grid, settings);
    GrowingEnsemble ensemble = new GrowingEnsemble(context, grid, settings);
    List<MemberReport> reports = new ArrayList<>();
    while (ensemble.size() < settings.members()) {
      int number = ensemble.size();
      Reweighting.Weighted weighted = reweighting.of(ensemble);
      MemberSweeps.Member member;
      try (MemberCells cells = weighted.cells()) {
        member = training.train(number, cells);
      }
      double alpha = ensemble.join(member);
      member.release();
      reports.add(weighted.report().joined(alpha, member));
      LOGGER.log(System.Logger.Level.INFO, "member {0}: {1}", number + 1, reports.get(number));
    }
    ensemble.finish();
    return new Trained(
        ensemble.side(Side.USERS),
        ensemble.side(Side.ITEMS),
        ensemble.weights(),
        List.copyOf(reports));
  }
}
