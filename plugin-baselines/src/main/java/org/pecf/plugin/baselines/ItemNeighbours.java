package org.pecf.plugin.baselines;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.Calibration;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.TrainingStep;

/**
 * The similarity of an item to the user's positives as its score: {@code a sum_k s_jk x_ik + b},
 * where k runs over the neighbours of j, the most similar other items.
 *
 * <p>With n_j users of item j and n_jk of both, {@code s_jk = n_jk / (sqrt(n_j n_k) + shrinkage)};
 * a and b map the sum to the scale of ratings. Of equally similar items the first are neighbours.
 *
 * <p>Similarities are based on positives alone: single cells cannot be weighted, and other targets
 * cannot be fitted.
 */
final class ItemNeighbours implements BaseFilter {
  private final ItemNeighboursOptions options;

  ItemNeighbours(ItemNeighboursOptions options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(FilterCapability.DETERMINISTIC);
  }

  /** Return the rank: one factor per item, and one that is one for all users. */
  private static int rank(GridShape shape) {
    return Math.addExact(shape.items(), 1);
  }

  @Override
  public long memoryEstimate(GridShape shape) {
    return ItemToItem.bytes(shape, rank(shape));
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    context.run().cancellation().check();
    int items = task.shape().items();
    FactorModel model =
        ItemToItem.allocate(
            context.run().allocator(),
            ItemNeighboursProvider.ID,
            task.shape(),
            task.positives(),
            rank(task.shape()));
    try {
      for (int user = 0; user < task.shape().users(); user++) {
        model.users().set(user, items, 1);
      }
      similarities(task.positives(), context, model);
      context.run().cancellation().check();
      Calibration calibration = Calibration.fit(task, model, context.compute().fields());
      calibration.fold(model, items);
      report(calibration, context);
      return model;
    } catch (RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }

  private static void report(Calibration calibration, TrainingContext context) {
    Map<String, Double> measures = new LinkedHashMap<>();
    measures.put("error", calibration.error());
    measures.put("slope", calibration.slope());
    measures.put("intercept", calibration.intercept());
    context.run().listener().on(new TrainingStep(ItemNeighboursProvider.ID, 1, 1, measures));
  }

  /** Set the items' factors to their similarities with their neighbours. */
  private void similarities(SparseCells positives, TrainingContext context, FactorModel model) {
    int items = positives.items();
    double[] roots = new double[items];
    for (int item = 0; item < items; item++) {
      roots[item] = Math.sqrt(positives.itemCount(item));
    }
    Neighbours[] nearest = new Neighbours[context.run().parallelism().threads()];
    ItemToItem.fillRows(
        positives,
        context.run().parallelism(),
        model.items(),
        (item, together, worker, row) -> {
          if (nearest[worker] == null) {
            nearest[worker] = new Neighbours(Math.min(options.neighbours(), items));
          }
          Neighbours kept = nearest[worker];
          kept.clear();
          for (int other = 0; other < items; other++) {
            if (together[other] > 0 && other != item) {
              kept.offer(
                  other,
                  (float) (together[other] / (roots[item] * roots[other] + options.shrinkage())));
            }
          }
          kept.writeTo(row);
        });
  }
}
