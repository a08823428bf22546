package org.pecf.plugin.graph;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.PecfException;
import org.pecf.api.filter.BaseFilter;
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
import org.pecf.api.run.TrainingStep;
import org.pecf.api.support.Calibration;
import org.pecf.api.support.NegativeCells;

/**
 * Softmax factors: minimise the {@linkplain SoftmaxObjective loss} of a softmax over all items by
 * the steps of {@link Adam}, then map cosines to the scale of ratings by a {@link Calibration},
 * which is folded into the factors.
 *
 * <p>Weights matter in three ways: how much a positive counts in the loss, how strongly it connects
 * its user and its item when factors are smoothed, and which cells can be negatives. The weight of
 * a negative, if it is not zero, affects the calibration only.
 */
final class SoftmaxFactors implements BaseFilter {
  private static final double DEVIATION = 0.1;

  /** The steps by which the row of a new user is found: more of them change hardly anything. */
  private static final int NEW_ROW_STEPS = 10;

  private final SoftmaxProvider.Options options;

  SoftmaxFactors(SoftmaxProvider.Options options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return EnumSet.of(
        FilterCapability.CELL_WEIGHTS, FilterCapability.DETERMINISTIC, FilterCapability.RESUMABLE);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    int rank = Adam.STATE * options.rank() + options.rank() + options.rank() + 1;
    return SoftmaxObjective.bytes(shape, options)
        + FloatMatrix.bytes(shape.users(), rank)
        + FloatMatrix.bytes(shape.items(), rank)
        + (long) positives * Float.BYTES;
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    NegativeCells negatives = NegativeCells.of(task.weights(), SoftmaxProvider.ID);
    PositiveGraph graph = PositiveGraph.of(task.positives(), weights(task, context));
    try (FactorModel state =
            FactorModel.allocate(
                context.run().allocator(), task.shape(), Adam.STATE * options.rank());
        SoftmaxObjective objective =
            new SoftmaxObjective(
                graph, negatives, options, context.run(), context.compute().matrices())) {
      Optional<TrainingProgress> progress = context.checkpoints().restore(state);
      if (progress.isEmpty()) {
        start(state, context);
      }
      descend(graph, objective, state, progress.map(TrainingProgress::step).orElse(0), context);
      return model(task, objective.factors(state), context);
    }
  }

  private static float[] weights(TrainingTask task, TrainingContext context) {
    int count = task.positives().count();
    float[] weights = new float[count];
    try (ArrowBuf buffer =
        context.run().allocator().buffer(Math.max(1, (long) count * Float.BYTES))) {
      context.compute().fields().gather(task.weights(), task.positives(), buffer);
      buffer
          .nioBuffer(0, count * Float.BYTES)
          .order(ByteOrder.nativeOrder())
          .asFloatBuffer()
          .get(weights);
    }
    return weights;
  }

  /** Draw all factors; the moments start at 0. */
  private void start(FactorModel state, TrainingContext context) {
    float[] drawn = new float[options.rank()];
    for (Side side : Side.values()) {
      String label = side == Side.USERS ? "user" : "item";
      Rows rows = new Rows(state.side(side));
      for (int row = 0; row < state.side(side).rows(); row++) {
        context.seed().child(label, row).fillNormal(drawn, DEVIATION);
        rows.write(row, drawn);
      }
    }
  }

  private void descend(
      PositiveGraph graph,
      SoftmaxObjective objective,
      FactorModel state,
      int done,
      TrainingContext context) {
    int[] starts = graph.users().starts();
    int[] users =
        IntStream.range(0, starts.length - 1)
            .filter(user -> starts[user] < starts[user + 1])
            .toArray();
    int steps = (users.length + options.batch() - 1) / options.batch();
    try (FactorModel gradient =
        FactorModel.allocate(context.run().allocator(), state.shape(), options.rank())) {
      for (int epoch = done; epoch < options.iterations(); epoch++) {
        shuffle(users, context.seed().child("order", epoch).random());
        double rate = options.learningRate() * (1 - epoch / (double) options.iterations());
        double sum = 0;
        for (int step = 0; step < steps; step++) {
          context.run().cancellation().check();
          int[] batch =
              Arrays.copyOfRange(
                  users, first(step, steps, users.length), first(step + 1, steps, users.length));
          sum += objective.evaluate(state, batch, gradient) * batch.length;
          new Adam(rate, (long) epoch * steps + step + 1)
              .step(state, gradient, context.run().parallelism());
        }
        report(epoch + 1, users.length == 0 ? 0 : sum / users.length, state, context);
      }
    }
  }

  /** Return where a batch begins, so that batches differ by one user at most. */
  private static int first(int step, int steps, int users) {
    return (int) ((long) users * step / steps);
  }

  private static void shuffle(int[] values, SplittableRandom random) {
    Arrays.sort(values);
    for (int k = values.length - 1; k > 0; k--) {
      int other = random.nextInt(k + 1);
      int value = values[k];
      values[k] = values[other];
      values[other] = value;
    }
  }

  private void report(int epoch, double loss, FactorModel state, TrainingContext context) {
    if (!Double.isFinite(loss)) {
      throw PecfException.badOption(
          "Filter softmax diverged in epoch %d: its factors are no longer finite. Lower"
              + " learning-rate, which is %s, or raise temperature, which is %s.",
          epoch, options.learningRate(), options.temperature());
    }
    context
        .run()
        .listener()
        .on(
            new TrainingStep(
                SoftmaxProvider.ID, epoch, options.iterations(), Map.of("loss", loss)));
    if (epoch < options.iterations()) {
      context.checkpoints().offer(state, new TrainingProgress(epoch, Map.of()));
    }
  }

  /** Return cosines on the scale of ratings. */
  private FactorModel model(TrainingTask task, FactorModel cosines, TrainingContext context) {
    int rank = options.rank();
    FactorModel model = FactorModel.allocate(context.run().allocator(), task.shape(), rank + 1);
    try {
      float[] row = new float[rank + 1];
      for (Side side : Side.values()) {
        for (int index = 0; index < cosines.side(side).rows(); index++) {
          cosines.side(side).readRow(index, row);
          row[rank] = side == Side.USERS ? 1 : 0;
          model.side(side).writeRows(index, 1, row);
        }
      }
      Calibration calibration = Calibration.fit(task, model, context.compute().fields());
      calibration.fold(model, rank);
      return model.withRules(
          new RowRules(
              new RowRule.Softmax(calibration.slope(), options.temperature(), NEW_ROW_STEPS),
              new RowRule.Impossible(
                  "because the factors of an item are smoothed together with those of all"
                      + " others")));
    } catch (RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }
}
