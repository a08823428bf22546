package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import java.util.Arrays;
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

/** The provider of item neighbourhoods. */
public final class ItemNeighboursProvider
    implements BaseFilterProvider<ItemNeighboursProvider.Options> {
  static final String ID = "item-knn";

  /**
   * The hyper-parameters of item neighbourhoods.
   *
   * @param shrinkage the number added to the denominator of the similarity
   */
  public record Options(
      @Option(
              value = "number of most similar items by which an item is scored",
              defaultValue = "100",
              min = 1)
          int neighbours,
      @Option(
              value = "strength with which similarities based on few users are drawn to zero",
              defaultValue = "10",
              min = 0)
          double shrinkage) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "similarity to the user's items by cosine, over the nearest neighbours",
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
                new Axis("shrinkage", 10, 3, 0.1, 1e4), new Axis("neighbours", 100, 2, 10, 1000)),
            List.of("neighbours"),
            point -> Neighbourhood.work(positives, shape.users())));
  }

  /**
   * The similarity of an item to the user's positives as its score: {@code a sum_k s_jk x_ik + b},
   * where k runs over the neighbours of j, the most similar other items.
   *
   * <p>With n_j users of item j and n_jk of both, {@code s_jk = n_jk / (sqrt(n_j n_k) +
   * shrinkage)}; a and b map the sum to the scale of ratings. Of equally similar items the first
   * are neighbours.
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
          ID, Neighbourhood.ofItems(similarities, task, context), task, context);
    }
  }
}
