package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.pecf.api.PecfException;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.api.run.TrainingStep;

/** The provider of ramps over popularity. */
public final class PopularityRampProvider
    implements BaseFilterProvider<PopularityRampProvider.Options> {
  static final String ID = "popularity-ramp";

  /** The hyper-parameters of a ramp over popularity. */
  public record Options(
      @Option(
              value = "popularity below which all items score alike, as a multiple of the mean",
              defaultValue = "1",
              min = 0,
              max = 1e6)
          double from,
      @Option(
              value = "popularity above which all items score alike, as a multiple of the mean",
              defaultValue = "4",
              min = 0,
              max = 1e6)
          double to) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "a correction of mixtures: rises with the popularity of items within bounds",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    if (!(options.from() < options.to())) {
      throw PecfException.badOption(
          "A ramp over popularity cannot lead from %s to %s. Let 'to' be above 'from'.",
          options.from(), options.to());
    }
    return new Filter(options);
  }

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    // A ramp is nothing by itself: where it begins and ends matters little to a mixture.
    return Optional.of(new SettingsSpace(List.of(), point -> Map.of(), point -> 1e-8 * positives));
  }

  /**
   * A score that rises from 0 to 1 while the popularity of an item does from one bound to another,
   * the same for all users. Popularity is the item's number of positives as a multiple of the mean
   * over all items; the score is linear in the logarithm of popularity plus an eighth, so that
   * items without a positive have one.
   *
   * <p>Of little use alone: several ramps, one beginning where another ends, make up any curve over
   * popularity that bends at their bounds. Members of a mixture may prefer rare or popular items
   * too much; ramps beside them, with weights of either sign, correct that.
   */
  private static final class Filter implements BaseFilter {
    private static final double OFFSET = 0.125;

    private final Options options;

    Filter(Options options) {
      this.options = options;
    }

    @Override
    public Set<FilterCapability> capabilities() {
      return EnumSet.of(FilterCapability.DETERMINISTIC);
    }

    @Override
    public long memoryEstimate(GridShape shape, int positives) {
      return ItemFactor.bytes(shape);
    }

    @Override
    public ScoreModel train(TrainingTask task, TrainingContext context) {
      context.run().cancellation().check();
      SparseCells positives = task.positives();
      double mean = Math.max(1, positives.count()) / (double) task.shape().items();
      context.run().listener().on(new TrainingStep(ID, 1, 1, Map.of("mean", mean)));
      FactorModel factors = ItemFactor.allocate(context.run().allocator(), task.shape());
      for (int item = 0; item < task.shape().items(); item++) {
        factors.items().set(item, 0, score(positives.itemCount(item) / mean));
      }
      return factors.withRules(
          new RowRules(
              new RowRule.Same(1),
              new RowRule.Impossible("popularity counts the positives of training")));
    }

    private float score(double popularity) {
      double from = Math.log(options.from() + OFFSET);
      double place =
          (Math.log(popularity + OFFSET) - from) / (Math.log(options.to() + OFFSET) - from);
      return (float) Math.min(1, Math.max(0, place));
    }
  }
}
