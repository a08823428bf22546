package org.pecf.plugin.baselines;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.TrainingStep;

/**
 * A score that rises from 0 to 1 while the popularity of an item does from one bound to another,
 * the same for all users. Popularity is the item's number of positives as a multiple of the mean
 * over all items; the score is linear in the logarithm of popularity plus an eighth, so that items
 * without a positive have one.
 *
 * <p>Of little use alone: several ramps, one beginning where another ends, make up any curve over
 * popularity that bends at their bounds. Members of a mixture may prefer rare or popular items too
 * much; ramps beside them, with weights of either sign, correct that.
 */
final class PopularityRamp implements BaseFilter {
  private static final double OFFSET = 0.125;

  private final PopularityRampOptions options;

  PopularityRamp(PopularityRampOptions options) {
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
    context
        .run()
        .listener()
        .on(new TrainingStep(PopularityRampProvider.ID, 1, 1, Map.of("mean", mean)));
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
