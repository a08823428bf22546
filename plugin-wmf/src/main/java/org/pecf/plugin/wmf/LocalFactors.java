package org.pecf.plugin.wmf;

import java.util.List;
import java.util.Map;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Separable;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRules;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.TrainingStep;

/**
 * Factorisations of parts of the grid, added up to one factor model: {@code f_ij = sum_k p_k(i)
 * q_k(j) u_k(i) . v_k(j)}, where factorisation k is trained with weights {@code w_ij P_k(i)
 * Q_k(j)}.
 *
 * @param filter the id of the filter that they belong to, for its steps
 * @param options the options of a factorisation of the whole grid; a part has its share of the
 *     penalty
 */
record LocalFactors(String filter, WmfProvider.Options options) {
  /**
   * A part of the grid with soft edges: cell (i, j) belongs to it by {@code users_i items_j}.
   *
   * @param users how much each user belongs to it, 0 or more
   * @param items how much each item does
   */
  record Locality(float[] users, float[] items) {
    /** Return how much cells belong to it. */
    CellField field() {
      return new Separable(users, items);
    }

    /** Return the mean over all cells. */
    double share() {
      return mean(users) * mean(items);
    }

    private static double mean(float[] values) {
      double sum = 0;
      for (float value : values) {
        sum += value;
      }
      return sum / values.length;
    }
  }

  /**
   * One of the factorisations.
   *
   * @param weights P and Q: how much the cells count in its training
   * @param shares p and q: how much its scores count in the sum
   */
  record Part(Locality weights, Locality shares) {}

  /** Estimate the bytes of a model of some parts, and of the training of one of them. */
  long memoryEstimate(GridShape shape, int parts) {
    return FloatMatrix.bytes(shape.users() + shape.items(), options.rank()) * (parts + 2L);
  }

  /**
   * Train the factorisation of the whole grid.
   *
   * @return its model, owned by the caller
   */
  FactorModel trainWhole(TrainingTask task, TrainingContext context) {
    return trainOne(options, task, context.withSeed(context.seed().child("whole")), event -> {});
  }

  /** Train a factorisation of each part, and add them up. */
  FactorModel train(List<Part> parts, TrainingTask task, TrainingContext context) {
    int rank = options.rank();
    FactorModel sum =
        FactorModel.allocate(context.run().allocator(), task.shape(), parts.size() * rank);
    try {
      for (int k = 0; k < parts.size(); k++) {
        context.run().cancellation().check();
        Part part = parts.get(k);
        LastStep last = new LastStep();
        try (FactorModel one =
            trainOne(
                options.withLambda(options.lambda() * part.weights().share()),
                new TrainingTask(
                    task.shape(),
                    task.positives(),
                    CellField.product(task.weights(), part.weights().field()),
                    task.targets(),
                    task.start()),
                context.withSeed(context.seed().child("part", k)),
                last)) {
          copy(one.users(), part.shares().users(), sum.users(), k * rank);
          copy(one.items(), part.shares().items(), sum.items(), k * rank);
        }
        context.run().listener().on(new TrainingStep(filter, k + 1, parts.size(), last.measures));
      }
      return sum.withRules(rules(task, context));
    } catch (RuntimeException | Error e) {
      sum.close();
      throw e;
    }
  }

  /** The listener that keeps the measures of the last sweep. */
  private static final class LastStep implements RunListener {
    private Map<String, Double> measures = Map.of();

    @Override
    public void on(RunEvent event) {
      if (event instanceof TrainingStep step) {
        measures = step.measures();
      }
    }
  }

  private static FactorModel trainOne(
      WmfProvider.Options options,
      TrainingTask task,
      TrainingContext context,
      RunListener listener) {
    RunContext run = context.run();
    return (FactorModel)
        new WeightedMatrixFactorisation(options)
            .train(
                task,
                new TrainingContext(
                    new RunContext(
                        run.allocator(), run.parallelism(), run.cancellation(), listener),
                    context.compute(),
                    context.seed()));
  }

  /** Return the rules of a factorisation of the whole grid, by which the sum takes in new rows. */
  private RowRules rules(TrainingTask task, TrainingContext context) {
    LeastSquaresRequest request =
        new LeastSquaresRequest(task.weights(), task.targets(), 1, options.ridge());
    try (LeastSquares problem = context.compute().leastSquares(request)) {
      return options.rules(problem);
    }
  }

  /** Write rows of factors, each multiplied by its share, beside those written before. */
  private static void copy(FloatMatrix source, float[] shares, FloatMatrix target, int column) {
    float[] from = new float[source.columns()];
    float[] to = new float[target.columns()];
    for (int row = 0; row < source.rows(); row++) {
      source.readRow(row, from);
      target.readRow(row, to);
      for (int k = 0; k < from.length; k++) {
        to[column + k] = shares[row] * from[k];
      }
      target.writeRows(row, 1, to);
    }
  }
}
