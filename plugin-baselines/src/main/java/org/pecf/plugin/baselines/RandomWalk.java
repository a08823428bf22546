package org.pecf.plugin.baselines;

import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;

/**
 * The chance that a random walk of three steps, from the user to an item k, on to another user v
 * and to item j, ends at an item, discounted by the item's popularity (RP3beta): {@code a sum_k
 * x_ik w_kj + b} with {@code w_kj = sum_v (1 / n_k)^alpha (1 / n_v)^alpha / n_j^beta}, where v runs
 * over the users of both items, n counts positives, and k runs over the items with the largest
 * w_kj.
 *
 * <p>The first step, {@code (1 / n_i)^alpha}, is the same for all items of a user and left out; a
 * and b map the sum to the scale of ratings.
 */
final class RandomWalk extends NeighbourFilter {
  private final RandomWalkOptions options;

  RandomWalk(RandomWalkOptions options) {
    super(Side.ITEMS, options.neighbours());
    this.options = options;
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    context.run().cancellation().check();
    Positives items = Positives.of(task.positives(), Side.ITEMS);
    double[] fromItem = items.powers(-options.alpha());
    double[] discount = items.powers(-options.beta());
    double[] fromUser = Positives.of(task.positives(), Side.USERS).powers(-options.alpha());
    SparseMatrix walks =
        Neighbourhood.nearest(
            Side.ITEMS,
            fromUser,
            options.neighbours(),
            (item, other, paths) -> (float) (fromItem[other] * paths * discount[item]),
            task,
            context);
    return Neighbourhood.calibrated(
        RandomWalkProvider.ID, Neighbourhood.ofItems(walks, task, context), task, context);
  }
}
