package org.pecf.plugin.related.accams;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.field.HostField;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.RecordingListener;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** A small matrix of targets and one of weights to train on. */
final class Training implements AutoCloseable {
  final BufferAllocator allocator = new RootAllocator();
  final RecordingListener listener = new RecordingListener();
  private final GridShape shape;
  private final SparseCells positives;
  private final TrainingTask task;
  private final ReferenceComputeSession session;

  /** The elements of a matrix as a field. */
  record Elements(double[][] values) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      return (float) values[user][item];
    }
  }

  Training(double[][] targets) {
    this(targets, ones(targets.length, targets[0].length));
  }

  Training(double[][] targets, double[][] weights) {
    shape = new GridShape(targets.length, targets[0].length);
    positives = TestGrids.cellsWhere(allocator, shape, (user, item) -> targets[user][item] > 0);
    task =
        new TrainingTask(
            shape, positives, new Elements(weights), new Elements(targets), Optional.empty());
    session = new ReferenceComputeSession(shape, allocator);
  }

  static double[][] ones(int rows, int columns) {
    double[][] ones = new double[rows][columns];
    for (double[] row : ones) {
      Arrays.fill(row, 1);
    }
    return ones;
  }

  /** Return random numbers from 0 to 1. */
  static double[][] random(int rows, int columns, long seed) {
    SplittableRandom random = new Seed(seed).random();
    double[][] values = new double[rows][columns];
    for (double[] row : values) {
      Arrays.setAll(row, k -> random.nextDouble());
    }
    return values;
  }

  SparseCells positives() {
    return positives;
  }

  TrainingContext context(long seed) {
    return new TrainingContext(
        new RunContext(allocator, new DirectParallelism(), () -> false, listener),
        session,
        new Seed(seed));
  }

  Observations observations(long seed, double share) {
    return Observations.sample(task, context(seed), share);
  }

  double[][] scores(BaseFilter filter, long seed) {
    try (FactorModel model = (FactorModel) filter.train(task, context(seed))) {
      double[][] scores = new double[shape.users()][shape.items()];
      for (int user = 0; user < scores.length; user++) {
        for (int item = 0; item < scores[user].length; item++) {
          scores[user][item] = model.scoreAt(user, item);
        }
      }
      return scores;
    }
  }

  @Override
  public void close() {
    positives.close();
    session.close();
    allocator.close();
  }
}
