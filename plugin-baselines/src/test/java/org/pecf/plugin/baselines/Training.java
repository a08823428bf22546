package org.pecf.plugin.baselines;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.field.CellField;
import org.pecf.api.field.HostField;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;
import org.pecf.api.support.Calibration;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.RecordingListener;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** The training of filters on small matrices. */
final class Training implements AutoCloseable {
  final BufferAllocator allocator = new RootAllocator();
  final RecordingListener listener = new RecordingListener();

  /** The elements of a matrix as a field. */
  record Elements(double[][] values) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      return (float) values[user][item];
    }
  }

  /** Return the scores of a filter trained on ratings with weights of one. */
  double[][] scores(BaseFilter filter, double[][] ratings) {
    double[][] weights = new double[ratings.length][ratings[0].length];
    for (double[] row : weights) {
      Arrays.fill(row, 1);
    }
    return scores(filter, ratings, weights);
  }

  double[][] scores(BaseFilter filter, double[][] ratings, double[][] weights) {
    try (SparseCells positives =
            TestGrids.cellsWhere(
                allocator, shape(ratings), (user, item) -> ratings[user][item] > 0);
        ScoreModel model = train(filter, positives, new Elements(weights), new Elements(ratings))) {
      return scores(model);
    }
  }

  ScoreModel train(BaseFilter filter, SparseCells positives, CellField weights, CellField targets) {
    return train(filter::train, positives, weights, targets);
  }

  ScoreModel train(
      BiFunction<TrainingTask, TrainingContext, ScoreModel> filter,
      SparseCells positives,
      CellField weights,
      CellField targets) {
    GridShape shape = new GridShape(positives.users(), positives.items());
    try (ReferenceComputeSession session = new ReferenceComputeSession(shape, allocator)) {
      return filter.apply(
          new TrainingTask(shape, positives, weights, targets, Optional.empty()),
          new TrainingContext(
              new RunContext(allocator, new DirectParallelism(), () -> false, listener),
              session,
              new Seed(1)));
    }
  }

  /**
   * Return the similarities of the model that a filter trains with weights of one: element (k, j)
   * of an item-to-item one, or (i, v) of a user-to-user one.
   */
  double[][] similarities(
      BiFunction<TrainingTask, TrainingContext, ScoreModel> filter, double[][] ratings) {
    try (SparseCells positives =
            TestGrids.cellsWhere(
                allocator, shape(ratings), (user, item) -> ratings[user][item] > 0);
        SparseProductModel model =
            (SparseProductModel)
                train(filter, positives, CellField.constant(1), new Elements(ratings))) {
      SparseMatrix matrix = model.similarities();
      double[][] similarities = new double[matrix.rows()][matrix.columns()];
      for (int row = 0; row < matrix.rows(); row++) {
        for (int column = 0; column < matrix.columns(); column++) {
          similarities[row][column] = matrix.get(row, column);
        }
      }
      return similarities;
    }
  }

  /** Return the slope by which the last filter mapped its similarities to ratings. */
  double lastSlope() {
    List<TrainingStep> steps = listener.events(TrainingStep.class);
    return steps.get(steps.size() - 1).measures().get("slope");
  }

  /** Fit the scores of a model to ratings. */
  Calibration calibration(ScoreModel model, double[][] ratings, double[][] weights) {
    try (SparseCells none = TestGrids.cellsWhere(allocator, model.shape(), (u, i) -> false);
        ReferenceComputeSession session = new ReferenceComputeSession(model.shape(), allocator)) {
      TrainingTask task =
          new TrainingTask(
              model.shape(), none, new Elements(weights), new Elements(ratings), Optional.empty());
      return Calibration.fit(task, model, session.fields());
    }
  }

  static GridShape shape(double[][] matrix) {
    return new GridShape(matrix.length, matrix[0].length);
  }

  static double[][] scores(ScoreModel model) {
    double[][] scores = new double[model.shape().users()][model.shape().items()];
    for (int user = 0; user < scores.length; user++) {
      for (int item = 0; item < scores[user].length; item++) {
        scores[user][item] = model.scoreAt(user, item);
      }
    }
    return scores;
  }

  /** Return random ratings: each is 1 with the given probability. */
  static double[][] random(int users, int items, double density, long seed) {
    SplittableRandom random = new Seed(seed).random();
    double[][] ratings = new double[users][items];
    for (double[] row : ratings) {
      for (int item = 0; item < items; item++) {
        row[item] = random.nextDouble() < density ? 1 : 0;
      }
    }
    return ratings;
  }

  /** Return element (rows[i], columns[j]) of a matrix as (i, j). */
  static double[][] permuted(double[][] matrix, int[] rows, int[] columns) {
    double[][] result = new double[rows.length][columns.length];
    for (int row = 0; row < rows.length; row++) {
      for (int column = 0; column < columns.length; column++) {
        result[row][column] = matrix[rows[row]][columns[column]];
      }
    }
    return result;
  }

  /** Return a permutation that leaves few places alone: multiples of a step, modulo a prime. */
  static int[] permutation(int prime, int step) {
    int[] places = new int[prime];
    for (int k = 0; k < prime; k++) {
      places[k] = (k * step + 2) % prime;
    }
    return places;
  }

  @Override
  public void close() {
    allocator.close();
  }
}
