package org.pecf.plugin.wmf;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;

/**
 * An ensemble of local non-negative factorisations (L-EnsNMF, Suh et al. 2016). Each stage draws a
 * positive that the stages before leave unexplained, weighs rows and columns of what they leave by
 * their cosine with those of the drawn one, factorises that without negative numbers, keeps the
 * users' factors, and fits the items' to what was left without the weights. What is left is never
 * negative, so it is zero wherever the ratings are, and all of it takes place on the positives.
 */
final class LocalNonNegative implements BaseFilter {
  private final EnsNmfProvider.Options options;

  LocalNonNegative(EnsNmfProvider.Options options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    long rank = (long) options.stages() * options.rank();
    return (shape.users() + (long) shape.items()) * Float.BYTES * (rank + 4L * options.rank())
        + 3L * positives * Float.BYTES;
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    GridShape shape = task.shape();
    int rank = options.rank();
    float[] ones = new float[task.positives().count()];
    Arrays.fill(ones, 1);
    SparseResidual left = new SparseResidual(task.positives(), ones);
    FactorModel sum =
        FactorModel.allocate(context.run().allocator(), shape, options.stages() * rank);
    try {
      for (int stage = 0; stage < options.stages(); stage++) {
        context.run().cancellation().check();
        Seed seed = context.seed().child("stage", stage);
        double[][] users = drawn(shape.users(), seed.child("users"));
        double[][] items = drawn(shape.items(), seed.child("items"));
        factorise(left, users, items, seed, context);
        copy(users, sum.users(), stage * rank);
        copy(items, sum.items(), stage * rank);
        left = left.minus(users, items);
        context
            .run()
            .listener()
            .on(
                new TrainingStep(
                    EnsNmfProvider.ID,
                    stage + 1,
                    options.stages(),
                    Map.of("left", left.total() / Math.max(1, ones.length))));
      }
      RowRule none =
          new RowRule.Impossible("its stages are fitted one after the other in training");
      return sum.withRules(new RowRules(none, none));
    } catch (RuntimeException | Error e) {
      sum.close();
      throw e;
    }
  }

  /** Run one stage. */
  private void factorise(
      SparseResidual left, double[][] users, double[][] items, Seed seed, TrainingContext context) {
    SparseResidual near = local(left, seed.child("anchor").random());
    for (int sweep = 0; sweep < options.iterations(); sweep++) {
      context.run().cancellation().check();
      near.improveUsers(users, items);
      near.improveItems(users, items);
    }
    for (int sweep = 0; sweep < options.iterations(); sweep++) {
      context.run().cancellation().check();
      left.improveItems(users, items);
    }
  }

  /** Return the residual, weighed by nearness to a positive that is drawn. */
  private static SparseResidual local(SparseResidual left, SplittableRandom random) {
    int position = left.draw(random);
    return position < 0
        ? left
        : left.times(
            left.userCosines(left.userOf(position)), left.itemCosines(left.itemOf(position)));
  }

  private double[][] drawn(int rows, Seed seed) {
    SplittableRandom random = seed.random();
    double[][] factors = new double[rows][options.rank()];
    for (double[] row : factors) {
      Arrays.setAll(row, f -> random.nextDouble());
    }
    return factors;
  }

  private static void copy(double[][] factors, FloatMatrix target, int column) {
    for (int row = 0; row < factors.length; row++) {
      for (int f = 0; f < factors[row].length; f++) {
        target.set(row, column + f, (float) factors[row][f]);
      }
    }
  }
}
