package org.pecf.plugin.baselines;

import java.lang.invoke.MethodHandles;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.api.run.TrainingStep;

/** The provider of popularity. */
public final class PopularityProvider implements BaseFilterProvider<PopularityProvider.Options> {
  static final String ID = "popularity";

  /** The hyper-parameters of popularity. */
  public record Options(
      @Option(
              value = "weight of ratings 0 that every item gets in addition to its own",
              defaultValue = "0.001",
              min = 1e-6)
          double shrinkage) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID, "the mean rating of each item, the same for all users", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new Filter(options);
  }

  /**
   * The popularity of items as their score: the weighted mean of their targets, {@code sum_i w_ij
   * t_ij / (sum_i w_ij + s)}, which for ratings is the share of positives.
   *
   * <p>This is the least-squares solution for one factor of the items where that of all users is
   * one, so it supports any weights and targets, is on the scale of the targets without a fit, and
   * is computed by the backend's kernel.
   */
  private static final class Filter implements BaseFilter {
    private final Options options;

    Filter(Options options) {
      this.options = options;
    }

    @Override
    public Set<FilterCapability> capabilities() {
      return EnumSet.of(
          FilterCapability.ANY_TARGET,
          FilterCapability.CELL_WEIGHTS,
          FilterCapability.DETERMINISTIC);
    }

    @Override
    public long memoryEstimate(GridShape shape, int positives) {
      return ItemFactor.bytes(shape);
    }

    @Override
    public ScoreModel train(TrainingTask task, TrainingContext context) {
      context.run().cancellation().check();
      FactorModel factors = ItemFactor.allocate(context.run().allocator(), task.shape());
      try {
        // The kernel adds half of the penalty to the weight of a row.
        double penalty = 2 * options.shrinkage();
        LeastSquaresRequest request =
            new LeastSquaresRequest(
                task.weights(), task.targets(), 1, new Ridge(penalty, penalty, 0));
        try (LeastSquares problem = context.compute().leastSquares(request)) {
          double objective = problem.solve(Side.ITEMS, factors);
          context.run().listener().on(new TrainingStep(ID, 1, 1, Map.of("objective", objective)));
          return factors.withRules(
              new RowRules(
                  new RowRule.Same(1),
                  new RowRule.LeastSquares(problem.unitPenalty(Side.ITEMS), 0)));
        }
      } catch (RuntimeException | Error e) {
        factors.close();
        throw e;
      }
    }
  }
}
