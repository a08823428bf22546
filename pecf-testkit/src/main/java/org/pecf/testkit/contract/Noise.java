package org.pecf.testkit.contract;

import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.PartMask;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.TestGrids;

/**
 * Data with nothing to learn: every cell is a positive with the same probability, and a hash says
 * which cells are training cells. A filter that does not know the held-out positives ranks them by
 * chance.
 *
 * @param shape the grid
 * @param whole all positives
 * @param training the positives in training cells
 * @param heldOut the other positives
 */
record Noise(GridShape shape, SparseCells whole, SparseCells training, SparseCells heldOut)
    implements AutoCloseable {
  /** The training cells. */
  static final PartMask MASK = new CellPartition(78, 3, 2, 0).mask(Part.TRAINING);

  /** The number of standard deviations from the mean that chance does not reach. */
  static final double WIDTH = 5;

  private static final double DENSITY = 0.2;

  static Noise of(BufferAllocator allocator, GridShape shape, long seed) {
    SplittableRandom random = new Seed(seed).child("noise").random();
    SparseCells whole =
        TestGrids.cellsWhere(allocator, shape, (user, item) -> random.nextDouble() < DENSITY);
    return new Noise(
        shape,
        whole,
        TestGrids.cellsWhere(
            allocator, shape, (user, item) -> whole.contains(user, item) && training(user, item)),
        TestGrids.cellsWhere(
            allocator, shape, (user, item) -> whole.contains(user, item) && !training(user, item)));
  }

  private static boolean training(int user, int item) {
    return MASK.valueAt(user, item) > 0;
  }

  /** Return the ratings of some positives. */
  static CellField ratings(SparseCells positives) {
    return CellField.observed(positives, 1, 0);
  }

  /** Return the confidence of some positives and all other cells. */
  static CellField confidence(SparseCells positives) {
    return CellField.observed(positives, 1, 0.2f);
  }

  /** Return the task to learn all there is. */
  TrainingTask wholeTask() {
    return task(whole, confidence(whole));
  }

  /** Return the task to learn the training cells; held-out cells weigh nothing. */
  TrainingTask maskedTask() {
    return task(training, CellField.product(confidence(training), MASK));
  }

  /** Return the task to learn the training positives; held-out ones look like any zero. */
  TrainingTask plainTask() {
    return task(training, confidence(training));
  }

  TrainingTask task(SparseCells positives, CellField weights) {
    return new TrainingTask(shape, positives, weights, ratings(positives), Optional.empty());
  }

  /**
   * Return by how many standard deviations a model ranks held-out positives above other cells,
   * compared with chance: the statistic of Mann and Whitney, user by user.
   *
   * @param masked whether they are ranked among the held-out cells; else among all cells but the
   *     training positives
   */
  double advantage(ScoreModel model, boolean masked) {
    double wins = 0;
    double expected = 0;
    double variance = 0;
    for (int user = 0; user < shape.users(); user++) {
      double positives = heldOut.userCount(user);
      double others = 0;
      for (int item = 0; item < shape.items(); item++) {
        boolean ranked = masked ? !training(user, item) : !training.contains(user, item);
        if (ranked && !heldOut.contains(user, item)) {
          others++;
          wins += wins(model, user, item);
        }
      }
      expected += positives * others / 2;
      variance += positives * others * (positives + others + 1) / 12;
    }
    return (wins - expected) / Math.sqrt(variance);
  }

  /** Return how many of a user's held-out positives score above an item; equal ones count half. */
  private double wins(ScoreModel model, int user, int item) {
    float other = model.scoreAt(user, item);
    double wins = 0;
    for (int k = heldOut.userStart(user); k < heldOut.userStart(user + 1); k++) {
      float score = model.scoreAt(user, heldOut.itemAt(k));
      wins += score > other ? 1 : score == other ? 0.5 : 0;
    }
    return wins;
  }

  @Override
  public void close() {
    whole.close();
    training.close();
    heldOut.close();
  }
}
