package org.pecf.plugin.baselines;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProduct;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.TrainingStep;

/**
 * A ridge regression of each item on a user's other items, all at once (EASE): minimises {@code
 * sum_i d_i^2 |x_i - x_i B|^2 + lambda |B|^2} over B with a diagonal of zeros, where x is one on
 * positives and zero elsewhere, and {@code d_i = n_i^-e} for a user of n_i positives.
 *
 * <p>The solution is computed column by column, from the Gramian of the items or, where there are
 * fewer of them, of the users: see {@link EaseColumns}. Of every column the strongest entries are
 * kept. Scores x B are on the scale of ratings.
 *
 * <p>Where the Gramian does not fit the memory, each item is regressed on few others only: see
 * {@link LocalRegressions}.
 *
 * <p>All cells of a user have equal weight, and held-out cells count as zeros: other weights would
 * take one inversion per item.
 */
final class Ease extends NeighbourFilter {
  private static final int ROWS_A_TASK = 32;

  /** The mean square of users' positives beside the square of their mean, about. */
  private static final double USER_SPREAD = 4;

  /** The items of which the bound on the error of the sparse form is computed, about. */
  private static final int SAMPLE = 256;

  private final EaseProvider.Options options;

  Ease(EaseProvider.Options options) {
    super(Side.ITEMS, options.neighbours());
    this.options = options;
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return options.form() == EaseProvider.Options.Form.DENSE
        ? dense(shape, positives)
        : options.form() == EaseProvider.Options.Form.SPARSE
            ? sparse(shape, positives)
            : Math.min(dense(shape, positives), sparse(shape, positives));
  }

  private long dense(GridShape shape, int positives) {
    int order = Math.min(shape.users(), shape.items());
    return FloatMatrix.bytes(order, order) + super.memoryEstimate(shape, positives);
  }

  /**
   * Estimate the sparse form by pairs of items: users differ in activity, which gives a few times
   * as many as if they did not.
   */
  private long sparse(GridShape shape, int positives) {
    double pairs = USER_SPREAD * positives * (double) positives / Math.max(1, shape.users());
    return sparse(shape, positives, (long) pairs);
  }

  private long sparse(GridShape shape, int positives, long pairs) {
    long entries = Math.min(pairs + shape.items(), (long) shape.items() * shape.items());
    return 2 * SparseMatrix.bytes(shape.items(), entries)
        + Neighbourhood.bytes(shape, positives, Side.ITEMS, options.support());
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    GridShape shape = task.shape();
    long headroom = context.run().allocator().getHeadroom();
    boolean fits = dense(shape, task.positives().count()) <= headroom;
    if (options.form() == EaseProvider.Options.Form.SPARSE
        || options.form() == EaseProvider.Options.Form.AUTO && !fits) {
      return trainSparse(task, context);
    }
    return train(task, context, shape.users() < shape.items() ? Side.USERS : Side.ITEMS);
  }

  /** Train each item on a few others. */
  private ScoreModel trainSparse(TrainingTask task, TrainingContext context) {
    RunContext run = context.run();
    run.cancellation().check();
    int items = task.shape().items();
    long pairs = 0;
    for (int user = 0; user < task.shape().users(); user++) {
      pairs += (long) task.positives().userCount(user) * task.positives().userCount(user);
    }
    checkMemory(task, run, sparse(task.shape(), task.positives().count(), pairs));
    double[] weights =
        Positives.of(task.positives(), Side.USERS).powers(-2 * options.activityExponent());
    int sampled = items / SAMPLE + 1;
    double[] minima = new double[items];
    double[] excess = new double[items];
    SparseMatrix byItem;
    try (SparseMatrix gramian =
        SparseProduct.ofOverlaps(
            task.positives(),
            Side.ITEMS,
            weights,
            run.allocator(),
            overlaps ->
                overlaps.strongest(items, (row, column, sum) -> (float) sum, run).matrix())) {
      LocalRegressions local = new LocalRegressions(gramian, options.lambda(), options.support());
      LocalRegressions.Regression[] scratch =
          new LocalRegressions.Regression[run.parallelism().threads()];
      try (SparseMatrix.Builder builder =
          SparseMatrix.Builder.ofRows(run.allocator(), items, items, options.support())) {
        forEach(
            items,
            run.parallelism(),
            (item, worker) -> {
              if (scratch[worker] == null) {
                scratch[worker] = local.new Regression();
              }
              LocalRegressions.Regression own = scratch[worker];
              minima[item] = own.solve(item);
              if (item % sampled == 0) {
                excess[item] = own.excess();
              }
              builder.setRow(item, own.count, own.items, own.weights);
            });
        byItem = builder.build();
      }
    }
    double objective = 0;
    double ofSample = 0;
    for (int item = 0; item < items; item++) {
      objective += minima[item];
      ofSample += item % sampled == 0 ? minima[item] : 0;
    }
    Map<String, Double> measures = new LinkedHashMap<>();
    measures.put("objective", objective);
    measures.put("excess", ofSample == 0 ? 0 : Arrays.stream(excess).sum() / ofSample);
    run.listener().on(new TrainingStep(EaseProvider.ID, 1, 1, measures));
    return Neighbourhood.ofItems(byItem, task, context);
  }

  /** Train by the Gramian of one side: both give the same model but for rounding. */
  ScoreModel train(TrainingTask task, TrainingContext context, Side side) {
    context.run().cancellation().check();
    checkMemory(task, context.run(), dense(task.shape(), task.positives().count()));
    double[] scales =
        Positives.of(task.positives(), Side.USERS).powers(-options.activityExponent());
    double[] minima = new double[task.shape().items()];
    int order = side == Side.USERS ? task.shape().users() : task.shape().items();
    SparseMatrix weights;
    try (FloatMatrix gramian = FloatMatrix.allocate(context.run().allocator(), order, order)) {
      fill(gramian, task, side, scales, context.run());
      context.compute().matrices().invert(gramian);
      EaseColumns columns =
          side == Side.USERS
              ? new EaseColumns.ByUsers(gramian, task.positives(), scales, options.lambda())
              : new EaseColumns.ByItems(gramian);
      weights = strongest(columns, minima, context.run());
    }
    double objective = 0;
    for (double minimum : minima) {
      objective += minimum - options.lambda();
    }
    context
        .run()
        .listener()
        .on(new TrainingStep(EaseProvider.ID, 1, 1, Map.of("objective", objective)));
    return Neighbourhood.ofItems(weights, task, context);
  }

  /**
   * Refuse a task that does not fit.
   *
   * @throws PecfException with {@link ErrorCode#RESOURCES} and the figures
   */
  private void checkMemory(TrainingTask task, RunContext run, long bytes) {
    long headroom = run.allocator().getHeadroom();
    if (bytes > headroom) {
      throw PecfException.resources(
          "%s takes %d MiB for %d users, %d items and %d positives, where %d MiB are left: its"
              + " dense form %d MiB, its sparse form about %d MiB. Allow more memory, leave out"
              + " rare users or items, or use another filter.",
          EaseProvider.ID,
          bytes >> 20,
          task.shape().users(),
          task.shape().items(),
          task.positives().count(),
          headroom >> 20,
          dense(task.shape(), task.positives().count()) >> 20,
          sparse(task.shape(), task.positives().count()) >> 20);
    }
  }

  /**
   * Compute the Gramian of one side, and add lambda to its diagonal.
   *
   * @param gramian zeros. Modified.
   */
  private void fill(
      FloatMatrix gramian, TrainingTask task, Side side, double[] scales, RunContext run) {
    double[] weights = new double[side == Side.USERS ? task.shape().items() : scales.length];
    for (int k = 0; k < weights.length; k++) {
      weights[k] = side == Side.USERS ? 1 : scales[k] * scales[k];
    }
    SparseProduct.ofOverlaps(
        task.positives(),
        side,
        weights,
        run.allocator(),
        overlaps -> {
          overlaps.forEachRow(
              (row, count, columns, sums) -> {
                for (int k = 0; k < count; k++) {
                  double scale = side == Side.USERS ? scales[row] * scales[columns[k]] : 1;
                  gramian.set(row, columns[k], (float) (scale * sums[k]));
                }
                gramian.set(row, row, (float) (gramian.get(row, row) + options.lambda()));
              },
              run);
          return gramian;
        });
  }

  /**
   * Keep the strongest weights of every item.
   *
   * @param minima receives the minimum of each item's regression, plus lambda. Modified.
   */
  private SparseMatrix strongest(EaseColumns columns, double[] minima, RunContext run) {
    int items = minima.length;
    int limit = Math.min(options.neighbours(), items);
    Scratch[] scratch = new Scratch[run.parallelism().threads()];
    try (SparseMatrix.Builder builder =
        SparseMatrix.Builder.ofRows(run.allocator(), items, items, limit)) {
      forEach(
          items,
          run.parallelism(),
          (item, worker) -> {
            if (scratch[worker] == null) {
              scratch[worker] = new Scratch(columns, items);
            }
            Scratch mine = scratch[worker];
            minima[item] = columns.compute(item, mine.column, mine.work);
            int count = 0;
            for (int k = 0; k < items; k++) {
              mine.present[count] = k;
              count += mine.column[k] == 0 ? 0 : 1;
            }
            builder.setStrongest(item, count, mine.present, mine.column);
          });
      return builder.build();
    }
  }

  private static void forEach(int rows, Parallelism parallelism, Parallelism.Task task) {
    parallelism.forEach(
        (rows + ROWS_A_TASK - 1) / ROWS_A_TASK,
        (block, worker) -> {
          int end = Math.min(rows, (block + 1) * ROWS_A_TASK);
          for (int row = block * ROWS_A_TASK; row < end; row++) {
            task.run(row, worker);
          }
        });
  }

  /** The working memory of a thread. */
  private static final class Scratch {
    final float[] column;
    final float[] work;
    final int[] present;

    Scratch(EaseColumns columns, int items) {
      column = new float[items];
      work = new float[columns.workSize()];
      present = new int[items];
    }
  }
}
