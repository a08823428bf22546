package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.filter.SettingsSpace.Axis;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of user neighbourhoods. */
public final class UserNeighboursProvider
    implements BaseFilterProvider<UserNeighboursProvider.Options> {
  static final String ID = "user-knn";

  /**
   * The hyper-parameters of user neighbourhoods.
   *
   * @param shrinkage the number added to the denominator of the similarity
   */
  public record Options(
      @Option(
              value = "number of most similar users by whom a user is served",
              defaultValue = "500",
              min = 1)
          int neighbours,
      @Option(
              value = "exponent by which popular items count less when users are compared",
              defaultValue = "0.35",
              min = 0,
              max = 2)
          double idf,
      @Option(
              value = "strength with which similarities based on few items are drawn to zero",
              defaultValue = "0",
              min = 0)
          double shrinkage,
      @Option(
              value = "exponent of the similarity: higher values favour the most similar users",
              defaultValue = "0.8",
              min = 0,
              max = 10)
          double locality,
      @Option(
              value = "exponent by which popular items are discounted",
              defaultValue = "0.3",
              min = 0,
              max = 2)
          double beta) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "items of the most similar users, by a cosine in which rare items count more",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new Filter(options);
  }

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    return Optional.of(
        SettingsSpace.ofOptions(
            List.of(
                new Axis("locality", 0.8, 1.5, 0.1, 10),
                new Axis("beta", 0.3, 1.5, 0.02, 2),
                new Axis("idf", 0.35, 1.5, 0.02, 2)),
            List.of(),
            point -> Neighbourhood.work(positives, shape.items())));
  }

  /**
   * The positives of similar users as the score of an item: {@code a n_j^-beta sum_v s_iv x_vj +
   * b}, where v runs over the neighbours of user i, the most similar other users, and n_j is the
   * number of users of item j.
   *
   * <p>An item k that two users share counts {@code w_k = n_k^-idf}. With w_iv the sum over the
   * items that users i and v share and w_i the one over all items of i, {@code s_iv = (w_iv /
   * (sqrt(w_i w_v) + shrinkage))^locality}: a cosine in which rare items count more. a and b map
   * the sum to the scale of ratings. Of equally similar users the first are neighbours.
   */
  private static final class Filter extends NeighbourFilter {
    private final Options options;

    Filter(Options options) {
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
      return Neighbourhood.calibrated(ID, model, task, context);
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
}
