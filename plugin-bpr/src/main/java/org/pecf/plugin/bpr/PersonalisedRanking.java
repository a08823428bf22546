package org.pecf.plugin.bpr;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
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
 * Bayesian personalised ranking: minimises {@code sum -ln sigmoid(s_ij - s_ik)} plus penalties over
 * samples of a positive (i, j), drawn in proportion to its weight, and another item k of the same
 * user; then maps scores to the scale of ratings by a {@link Calibration}, which is folded into the
 * factors.
 *
 * <p>Weights matter in two ways: they determine how often a positive is drawn, and which cells can
 * be negatives. The weight of a negative, if it is not zero, affects the calibration only.
 */
final class PersonalisedRanking implements BaseFilter {
  private static final String LOSS = "loss";
  private static final String RATE = "learning-rate";

  private final BprProvider.Options options;

  PersonalisedRanking(BprProvider.Options options) {
    this.options = options;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return options.mode() == PairwiseMode.DETERMINISTIC
        ? EnumSet.of(
            FilterCapability.CELL_WEIGHTS,
            FilterCapability.DETERMINISTIC,
            FilterCapability.RESUMABLE)
        : EnumSet.of(FilterCapability.CELL_WEIGHTS, FilterCapability.RESUMABLE);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    long model = bytes(shape, options.rank() + 1);
    return options.bias() ? model : model + bytes(shape, options.rank());
  }

  private static long bytes(GridShape shape, int rank) {
    return FloatMatrix.bytes(shape.users(), rank) + FloatMatrix.bytes(shape.items(), rank);
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    FactorModel factors =
        FactorModel.allocate(
            context.run().allocator(), task.shape(), options.rank() + (options.bias() ? 1 : 0));
    try {
      Optional<TrainingProgress> progress = context.checkpoints().restore(factors);
      if (progress.isEmpty()) {
        start(factors, context);
      }
      descend(task, context, factors, progress);
      Calibration calibration = Calibration.fit(task, factors, context.compute().fields());
      if (!Double.isFinite(calibration.slope()) || !Double.isFinite(calibration.intercept())) {
        throw diverged(options.iterations());
      }
      if (!options.bias()) {
        FactorModel narrow = factors;
        factors = withBias(narrow, context.run().allocator());
        narrow.close();
      }
      calibration.fold(factors, options.rank());
      return factors.withRules(
          new RowRules(
              new RowRule.Pairwise(
                  calibration.slope(),
                  options.learningRate(),
                  options.penalties().users(),
                  options.iterations(),
                  options.popularity()),
              new RowRule.BestFit()));
    } catch (RuntimeException | Error e) {
      factors.close();
      throw e;
    }
  }

  /** Draw all factors except the biases, which start at 0. */
  private void start(FactorModel factors, TrainingContext context) {
    float[] drawn = new float[options.rank()];
    float[] row = new float[factors.rank()];
    for (Side side : Side.values()) {
      if (options.bias()) {
        row[options.rank()] = side == Side.USERS ? 1 : 0;
      }
      String label = side == Side.USERS ? "user" : "item";
      FloatMatrix matrix = factors.side(side);
      for (int index = 0; index < matrix.rows(); index++) {
        context.seed().child(label, index).fillNormal(drawn, options.deviation());
        System.arraycopy(drawn, 0, row, 0, drawn.length);
        matrix.writeRows(index, 1, row);
      }
    }
  }

  private void descend(
      TrainingTask task,
      TrainingContext context,
      FactorModel factors,
      Optional<TrainingProgress> progress) {
    NegativeCells negatives = NegativeCells.of(task.weights(), BprProvider.ID);
    long bytes = Math.max(1, (long) task.positives().count() * Float.BYTES);
    try (ArrowBuf weights = context.run().allocator().buffer(bytes)) {
      context.compute().fields().gather(task.weights(), task.positives(), weights);
      PairwiseRequest request =
          new PairwiseRequest(
              task.positives(),
              Optional.of(weights),
              negatives.excluded(),
              negatives.candidates(),
              options.popularity(),
              options.penalties(),
              options.bias(),
              options.mode(),
              context.seed().child("samples"));
      try (PairwiseSgd training = context.compute().pairwise(request)) {
        epochs(training, factors, progress, context);
      }
    }
  }

  private void epochs(
      PairwiseSgd training,
      FactorModel factors,
      Optional<TrainingProgress> progress,
      TrainingContext context) {
    double rate = progress.map(done -> done.figure(RATE)).orElse(options.learningRate());
    double before = progress.map(done -> done.figure(LOSS)).orElse(Double.POSITIVE_INFINITY);
    int done = progress.map(TrainingProgress::step).orElse(0);
    for (int epoch = done; epoch < options.iterations(); epoch++) {
      context.run().cancellation().check();
      PairwiseEpoch summary = training.epoch(factors, epoch, rate);
      if (!Double.isFinite(summary.loss())) {
        throw diverged(epoch + 1);
      }
      Map<String, Double> measures = new LinkedHashMap<>();
      measures.put(LOSS, summary.loss());
      measures.put("auc", summary.auc());
      context
          .run()
          .listener()
          .on(new TrainingStep(BprProvider.ID, epoch + 1, options.iterations(), measures));
      double left = 1 - (epoch + 1.0) / options.iterations();
      rate =
          options
              .learningRateSchedule()
              .next(rate, options.learningRate(), left, before, summary.loss());
      before = summary.loss();
      if (epoch + 1 < options.iterations()) {
        context
            .checkpoints()
            .offer(factors, new TrainingProgress(epoch + 1, Map.of(RATE, rate, LOSS, before)));
      }
    }
  }

  /** Return a copy of a model with one more factor: 1 for users, 0 for items. */
  private static FactorModel withBias(FactorModel model, BufferAllocator allocator) {
    int rank = model.rank();
    FactorModel wider = FactorModel.allocate(allocator, model.shape(), rank + 1);
    float[] row = new float[rank + 1];
    for (Side side : Side.values()) {
      row[rank] = side == Side.USERS ? 1 : 0;
      for (int index = 0; index < model.side(side).rows(); index++) {
        model.side(side).readRow(index, row);
        wider.side(side).writeRows(index, 1, row);
      }
    }
    return wider;
  }

  private PecfException diverged(int epoch) {
    return PecfException.badOption(
        "Filter bpr diverged by epoch %d: its factors are no longer finite. Lower learning-rate,"
            + " which is %s, or lambda, which is %s.",
        epoch, options.learningRate(), options.lambda());
  }
}
