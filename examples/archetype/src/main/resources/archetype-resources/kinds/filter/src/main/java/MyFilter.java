package ${package};

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
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.run.TrainingStep;

/** A weighted fit of {@code targets ~ u.v}, solved for users and items in turn. */
final class MyFilter implements BaseFilter {
  private final MyFilterProvider.Options options;

  MyFilter(MyFilterProvider.Options options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return Set.of(
        FilterCapability.ANY_TARGET, FilterCapability.CELL_WEIGHTS, FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return FloatMatrix.bytes(shape.users(), options.rank())
        + FloatMatrix.bytes(shape.items(), options.rank());
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    FactorModel model = FactorModel.allocate(context.run().allocator(), task.shape(), options.rank());
    try {
      float[] row = new float[options.rank()];
      for (int item = 0; item < task.shape().items(); item++) {
        context.seed().child("item", item).fillNormal(row, 0.1);
        model.items().writeRows(item, 1, row);
      }
      Ridge ridge = new Ridge(options.lambda(), options.lambda(), 0);
      LeastSquaresRequest request =
          new LeastSquaresRequest(task.weights(), task.targets(), options.rank(), ridge);
      try (LeastSquares problem = context.compute().leastSquares(request)) {
        for (int sweep = 1; sweep <= options.iterations(); sweep++) {
          context.run().cancellation().check();
          problem.solve(Side.USERS, model);
          double objective = problem.solve(Side.ITEMS, model);
          context.run()
              .listener()
              .on(
                  new TrainingStep(
                      "${id}", sweep, options.iterations(), Map.of("objective", objective)));
        }
      }
      return model;
    } catch (RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }
}
