package org.pecf.plugin.baselines;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.run.TrainingStep;

/**
 * The popularity of items as their score: the weighted mean of their targets, {@code sum_i w_ij
 * t_ij / (sum_i w_ij + s)}, which for ratings is the share of positives.
 *
 * <p>This is the least-squares solution for one factor of the items where that of all users is one,
 * so it supports any weights and targets, is on the scale of the targets without a fit, and is
 * computed by the backend's kernel.
 */
final class Popularity implements BaseFilter {
  private final PopularityOptions options;

  Popularity(PopularityOptions options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(
        FilterCapability.ANY_TARGET, FilterCapability.CELL_WEIGHTS, FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return ItemFactor.bytes(shape);
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    context.run().cancellation().check();
    FactorModel factors = ItemFactor.allocate(context.run().allocator(), task.shape());
    try {
      // The kernel adds half of the penalty to the weight of a row.
      double penalty = 2 * options.shrinkage();
      LeastSquaresRequest request =
          new LeastSquaresRequest(
              task.weights(), task.targets(), 1, new Ridge(penalty, penalty, 0));
      try (LeastSquares problem = context.compute().leastSquares(request)) {
        double objective = problem.solve(Side.ITEMS, factors);
        context
            .run()
            .listener()
            .on(new TrainingStep(PopularityProvider.ID, 1, 1, Map.of("objective", objective)));
        return factors.withRules(
            new RowRules(
                new RowRule.Same(1), new RowRule.LeastSquares(problem.unitPenalty(Side.ITEMS), 0)));
      }
    } catch (RuntimeException | Error e) {
      factors.close();
      throw e;
    }
  }
}
