package org.pecf.testkit.contract;

import java.lang.invoke.MethodHandles;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingProgress;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
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

/** The least that is a good filter: alternating least squares of a fixed penalty. */
class TinyFilter implements BaseFilter {
  /** Its options. */
  record Options(
      @Option(value = "factors", defaultValue = "3", min = 1, max = 100) int rank,
      @Option(value = "sweeps", defaultValue = "6", min = 1) int sweeps) {}

  /** Offers it. */
  static class TinyProvider implements BaseFilterProvider<Options> {
    @Override
    public ProviderDescription describe() {
      return new ProviderDescription("tiny", "alternating least squares", SpiVersion.CURRENT);
    }

    @Override
    public OptionSchema<Options> options() {
      return OptionSchema.of(MethodHandles.lookup(), Options.class);
    }

    @Override
    public BaseFilter create(Options options) {
      return new TinyFilter(options);
    }
  }

  final Options options;

  TinyFilter(Options options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(FilterCapability.OWN_MODEL));
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return FloatMatrix.bytes(shape.users(), options.rank())
        + FloatMatrix.bytes(shape.items(), options.rank());
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    FactorModel model =
        FactorModel.allocate(context.run().allocator(), task.shape(), options.rank());
    try {
      Optional<TrainingProgress> progress = context.checkpoints().restore(model);
      if (progress.isEmpty()) {
        start(task, context, model);
      }
      fit(task, context, model, progress.map(TrainingProgress::step).orElse(0));
      return model.withRules(rules());
    } catch (RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }

  RowRules rules() {
    RowRule rule = new RowRule.LeastSquares(0.1, 0);
    return new RowRules(rule, rule);
  }

  void start(TrainingTask task, TrainingContext context, FactorModel model) {
    float[] values = new float[task.shape().items() * options.rank()];
    if (task.start().isPresent()) {
      ((FactorModel) task.start().get()).items().readRows(0, task.shape().items(), values);
    } else {
      context.seed().child("items").fillNormal(values, 0.3);
    }
    model.items().writeRows(0, task.shape().items(), values);
  }

  void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
    try (LeastSquares problem =
        context
            .compute()
            .leastSquares(
                new LeastSquaresRequest(
                    task.weights(), task.targets(), options.rank(), new Ridge(0.1, 0.1, 0)))) {
      for (int sweep = done + 1; sweep <= options.sweeps(); sweep++) {
        context.run().cancellation().check();
        problem.solve(Side.USERS, model);
        double objective = problem.solve(Side.ITEMS, model);
        report(context, sweep, objective);
        if (sweep < options.sweeps()) {
          context.checkpoints().offer(model, new TrainingProgress(sweep, Map.of()));
        }
      }
    }
  }

  void report(TrainingContext context, int sweep, double objective) {
    context
        .run()
        .listener()
        .on(new TrainingStep("tiny", sweep, options.sweeps(), Map.of("objective", objective)));
  }
}
