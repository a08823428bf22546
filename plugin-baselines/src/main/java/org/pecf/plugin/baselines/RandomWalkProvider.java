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
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of random walks. */
public final class RandomWalkProvider implements BaseFilterProvider<RandomWalkProvider.Options> {
  static final String ID = "rp3beta";

  /** The hyper-parameters of random walks. */
  public record Options(
      @Option(value = "exponent of the chances of steps", defaultValue = "0.6", min = 0, max = 2)
          double alpha,
      @Option(
              value = "exponent by which popular items are discounted",
              defaultValue = "0.25",
              min = 0,
              max = 2)
          double beta,
      @Option(
              value = "number of items from which an item is reached best",
              defaultValue = "500",
              min = 1)
          int neighbours) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "random walk of three steps, discounted by popularity (RP3beta)", SpiVersion.CURRENT);
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
            List.of(new Axis("beta", 0.25, 1.5, 0.02, 2), new Axis("alpha", 0.6, 1.25, 0.1, 2)),
            List.of(),
            point -> Neighbourhood.work(positives, shape.users())));
  }

  /**
   * The chance that a random walk of three steps, from the user to an item k, on to another user v
   * and to item j, ends at an item, discounted by the item's popularity (RP3beta): {@code a sum_k
   * x_ik w_kj + b} with {@code w_kj = sum_v (1 / n_k)^alpha (1 / n_v)^alpha / n_j^beta}, where v
   * runs over the users of both items, n counts positives, and k runs over the items with the
   * largest w_kj.
   *
   * <p>The first step, {@code (1 / n_i)^alpha}, is the same for all items of a user and left out; a
   * and b map the sum to the scale of ratings.
   */
  private static final class Filter extends NeighbourFilter {
    private final Options options;

    Filter(Options options) {
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
          ID, Neighbourhood.ofItems(walks, task, context), task, context);
    }
  }
}
