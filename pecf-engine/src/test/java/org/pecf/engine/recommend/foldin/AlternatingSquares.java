package org.pecf.engine.recommend.foldin;

import java.util.EnumSet;
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

/**
 * Alternating least squares that end with the half-sweep of one side, whose rows are then exact for
 * the other.
 */
final class AlternatingSquares implements BaseFilter {
  private static final int RANK = 3;

  private final double exponent;
  private final Side last;
  private final int sweeps;

  AlternatingSquares(double exponent, Side last, int sweeps) {
    this.exponent = exponent;
    this.last = last;
    this.sweeps = sweeps;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.allOf(FilterCapability.class);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return 0;
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    FactorModel model = FactorModel.allocate(context.run().allocator(), task.shape(), RANK);
    FactorModel start = task.start().map(FactorModel.class::cast).orElse(model);
    float[] row = new float[RANK];
    for (Side side : Side.values()) {
      for (int index = 0; index < model.side(side).rows(); index++) {
        context.seed().child(side.name(), index).fillNormal(row, 0.4);
        if (start != model) {
          start.side(side).readRow(index, row);
        }
        model.side(side).writeRows(index, 1, row);
      }
    }
    Ridge ridge = new Ridge(0.3, 0.2, exponent);
    try (LeastSquares problem =
        context
            .compute()
            .leastSquares(new LeastSquaresRequest(task.weights(), task.targets(), RANK, ridge))) {
      for (int sweep = 0; sweep < sweeps; sweep++) {
        problem.solve(last.other(), model);
        problem.solve(last, model);
      }
      return model.withRules(
          new RowRules(
              new RowRule.LeastSquares(problem.unitPenalty(Side.USERS), exponent),
              new RowRule.LeastSquares(problem.unitPenalty(Side.ITEMS), exponent)));
    }
  }
}
