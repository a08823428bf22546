package org.pecf.plugin.baselines;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.run.TrainingStep;

/**
 * A ridge regression of each item on a user's other items, all at once (EASE): minimises {@code |X
 * - X B|^2 + lambda |B|^2} over B with a diagonal of zeros, where X is one on positives and zero
 * elsewhere.
 *
 * <p>With {@code P = (X'X + lambda I)^-1} the solution is {@code B = I - P diag(1 / diag P)}: off
 * the diagonal {@code b_kj = -p_kj / p_jj}. Scores X B are on the scale of ratings. The minimum is
 * {@code sum_j (1 / p_jj - lambda)}.
 *
 * <p>All cells have equal weight, and held-out cells count as zeros: other weights would take one
 * inversion per item.
 */
final class Ease implements BaseFilter {
  private final EaseOptions options;

  Ease(EaseOptions options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape) {
    return ItemToItem.bytes(shape, shape.items());
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    context.run().cancellation().check();
    int items = task.shape().items();
    FactorModel model =
        ItemToItem.allocate(
            context.run().allocator(), EaseProvider.ID, task.shape(), task.positives(), items);
    try {
      // The Gramian, its inverse and the weights follow each other in the same memory.
      ItemToItem.fillRows(
          task.positives(),
          context.run().parallelism(),
          model.items(),
          (item, together, worker, row) -> {
            for (int other = 0; other < items; other++) {
              row[other] = together[other];
            }
            row[item] += (float) options.lambda();
          });
      context.compute().matrices().invert(model.items());
      double objective = toWeights(model.items());
      context
          .run()
          .listener()
          .on(new TrainingStep(EaseProvider.ID, 1, 1, Map.of("objective", objective)));
      return model;
    } catch (RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }

  /**
   * Turn P into the transpose of B and return the minimum.
   *
   * @param inverse P. Modified.
   */
  private double toWeights(FloatMatrix inverse) {
    double objective = 0;
    float[] row = new float[inverse.columns()];
    for (int item = 0; item < inverse.rows(); item++) {
      inverse.readRow(item, row);
      float diagonal = row[item];
      objective += 1.0 / diagonal - options.lambda();
      for (int other = 0; other < row.length; other++) {
        row[other] = -row[other] / diagonal;
      }
      row[item] = 0;
      inverse.writeRows(item, 1, row);
    }
    return objective;
  }
}
