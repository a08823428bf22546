package org.pecf.plugin.baselines;

import java.util.Arrays;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;

/**
 * The similarity of an item to the user's positives as its score: {@code a sum_k s_jk x_ik + b},
 * where k runs over the neighbours of j, the most similar other items.
 *
 * <p>With n_j users of item j and n_jk of both, {@code s_jk = n_jk / (sqrt(n_j n_k) + shrinkage)};
 * a and b map the sum to the scale of ratings. Of equally similar items the first are neighbours.
 */
final class ItemNeighbours extends NeighbourFilter {
  private final ItemNeighboursOptions options;

  ItemNeighbours(ItemNeighboursOptions options) {
    super(Side.ITEMS, options.neighbours());
    this.options = options;
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    context.run().cancellation().check();
    double[] ones = new double[task.shape().users()];
    Arrays.fill(ones, 1);
    double[] roots = Positives.of(task.positives(), Side.ITEMS).powers(0.5);
    SparseMatrix similarities =
        Neighbourhood.nearest(
            Side.ITEMS,
            ones,
            options.neighbours(),
            (item, other, together) ->
                (float) (together / (roots[item] * roots[other] + options.shrinkage())),
            task,
            context);
    return Neighbourhood.calibrated(
        ItemNeighboursProvider.ID,
        Neighbourhood.ofItems(similarities, task, context),
        task,
        context);
  }
}
