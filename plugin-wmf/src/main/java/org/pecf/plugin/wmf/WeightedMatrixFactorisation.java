package org.pecf.plugin.wmf;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingProgress;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.run.TrainingStep;

/**
 * Weighted matrix factorisation by alternating least squares: minimises {@code sum w (t - u.v)^2 +
 * lambda_u / 2 |U|^2 + lambda_v / 2 |V|^2}, users and items in turn.
 */
final class WeightedMatrixFactorisation implements BaseFilter {
  /** The number of rows that a task draws and writes at once, which takes fewer objects. */
  private static final int DRAWN = 128;

  private static final String OBJECTIVE = "objective";

  private final WmfProvider.Options options;

  WeightedMatrixFactorisation(WmfProvider.Options options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(
        FilterCapability.ANY_TARGET,
        FilterCapability.CELL_WEIGHTS,
        FilterCapability.WARM_START,
        FilterCapability.DETERMINISTIC,
        FilterCapability.RESUMABLE);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return FloatMatrix.bytes(shape.users(), options.rank())
        + FloatMatrix.bytes(shape.items(), options.rank());
  }

  @Override
  public double penalty(ScoreModel model) {
    FactorModel factors = (FactorModel) model;
    Ridge ridge = options.ridge();
    return ridge.users() / 2 * squares(factors.users())
        + ridge.items() / 2 * squares(factors.items());
  }

  private static double squares(FloatMatrix matrix) {
    float[] row = new float[matrix.columns()];
    double total = 0;
    for (int i = 0; i < matrix.rows(); i++) {
      matrix.readRow(i, row);
      for (float x : row) {
        total += (double) x * x;
      }
    }
    return total;
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    FactorModel factors =
        FactorModel.allocate(context.run().allocator(), task.shape(), options.rank());
    try {
      Optional<TrainingProgress> progress = context.checkpoints().restore(factors);
      if (progress.isEmpty()) {
        start(task, context, factors);
      }
      LeastSquaresRequest request =
          new LeastSquaresRequest(task.weights(), task.targets(), options.rank(), options.ridge());
      try (LeastSquares problem = context.compute().leastSquares(request)) {
        alternate(problem, factors, progress, context);
        return factors.withRules(options.rules(problem));
      }
    } catch (RuntimeException | Error e) {
      factors.close();
      throw e;
    }
  }

  private void alternate(
      LeastSquares problem,
      FactorModel factors,
      Optional<TrainingProgress> progress,
      TrainingContext context) {
    double before = progress.map(done -> done.figure(OBJECTIVE)).orElse(Double.POSITIVE_INFINITY);
    int done = progress.map(TrainingProgress::step).orElse(0);
    for (int sweep = done + 1; sweep <= options.iterations(); sweep++) {
      context.run().cancellation().check();
      problem.solve(Side.USERS, factors);
      double objective = problem.solve(Side.ITEMS, factors);
      context
          .run()
          .listener()
          .on(
              new TrainingStep(
                  WmfProvider.ID, sweep, options.iterations(), Map.of(OBJECTIVE, objective)));
      if (before - objective < options.tolerance() * Math.abs(before)) {
        return;
      }
      before = objective;
      if (sweep < options.iterations()) {
        context
            .checkpoints()
            .offer(factors, new TrainingProgress(sweep, Map.of(OBJECTIVE, objective)));
      }
    }
  }

  /** Copy the model to start from, or draw item factors; users are solved first. */
  private void start(TrainingTask task, TrainingContext context, FactorModel factors) {
    if (task.start().isPresent()
        && task.start().get() instanceof FactorModel model
        && model.rank() == factors.rank()) {
      factors.users().copyFrom(model.users());
      factors.items().copyFrom(model.items());
      return;
    }
    int items = task.shape().items();
    context
        .run()
        .parallelism()
        .forEach(
            (items + DRAWN - 1) / DRAWN,
            (block, worker) -> {
              int rank = factors.rank();
              int first = block * DRAWN;
              int count = Math.min(items - first, DRAWN);
              float[] row = new float[rank];
              float[] rows = new float[count * rank];
              for (int k = 0; k < count; k++) {
                context.seed().child("item", first + k).fillNormal(row, options.deviation());
                System.arraycopy(row, 0, rows, k * rank, rank);
              }
              factors.items().writeRows(first, count, rows);
            });
  }
}
