package org.pecf.plugin.baselines;

import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;

/**
 * The positives of similar users as the score of an item: {@code a n_j^-beta sum_v s_iv x_vj + b},
 * where v runs over the neighbours of user i, the most similar other users, and n_j is the number
 * of users of item j.
 *
 * <p>An item k that two users share counts {@code w_k = n_k^-idf}. With w_iv the sum over the items
 * that users i and v share and w_i the one over all items of i, {@code s_iv = (w_iv / (sqrt(w_i
 * w_v) + shrinkage))^locality}: a cosine in which rare items count more. a and b map the sum to the
 * scale of ratings. Of equally similar users the first are neighbours.
 */
final class UserNeighbours extends NeighbourFilter {
  private final UserNeighboursOptions options;

  UserNeighbours(UserNeighboursOptions options) {
    super(Side.USERS, options.neighbours());
    this.options = options;
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    context.run().cancellation().check();
    double[] weights = Positives.of(task.positives(), Side.ITEMS).powers(-options.idf());
    double[] roots = roots(Positives.of(task.positives(), Side.USERS), weights);
    SparseMatrix left =
        Neighbourhood.nearest(
            Side.USERS,
            weights,
            options.neighbours(),
            (user, other, shared) ->
                (float) (shared / (roots[user] * roots[other] + options.shrinkage())),
            task,
            context);
    for (int p = 0; p < left.count(); p++) {
      left.entryValues().setFloat(4L * p, (float) Math.pow(left.valueAt(p), options.locality()));
    }
    SparseProductModel model;
    try {
      model =
          new SparseProductModel(Side.USERS, left, profiles(task, context), 0)
              .withRule(
                  new RowRule.Neighbours(
                      options.neighbours(),
                      options.idf(),
                      options.shrinkage(),
                      options.locality(),
                      1));
    } catch (RuntimeException | Error e) {
      left.close();
      throw e;
    }
    return Neighbourhood.calibrated(UserNeighboursProvider.ID, model, task, context);
  }

  /** Return the root of the sum of the weights of every user's items. */
  private static double[] roots(Positives users, double[] weights) {
    double[] roots = new double[users.rows()];
    for (int user = 0; user < roots.length; user++) {
      double sum = 0;
      for (int p = users.start(user); p < users.start(user + 1); p++) {
        sum += weights[users.member(p)];
      }
      roots[user] = Math.sqrt(sum);
    }
    return roots;
  }

  /** Return the users' items, of which popular ones count less. */
  private SparseMatrix profiles(TrainingTask task, TrainingContext context) {
    double[] discount = Positives.of(task.positives(), Side.ITEMS).powers(-options.beta());
    SparseMatrix profiles = SparseMatrix.ofCells(context.run().allocator(), task.positives());
    for (int p = 0; p < profiles.count(); p++) {
      profiles.entryValues().setFloat(4L * p, (float) discount[profiles.columnAt(p)]);
    }
    return profiles;
  }
}
