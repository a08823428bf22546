package org.pecf.plugin.bpr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.support.Calibration;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** The map that makes ranking scores ratings. */
class CalibrationTest {
  private final RootAllocator root = new RootAllocator();

  @AfterEach
  void closeMemory() {
    root.close();
  }

  /**
   * Scores -1, 0, 1, 2 with ratings 0, 0, 1, 1 and weights 1, 2, 1, 2: sums w = 6, ws = 4, wr = 3,
   * wss = 10, wsr = 5; a = (5/6 - 4/6 x 3/6) / (10/6 - 16/36) = 9/22, b = 3/6 - 9/22 x 4/6 = 5/22.
   */
  @Test
  void fitsByWeightedLeastSquares() {
    GridShape shape = new GridShape(2, 2);
    try (ReferenceComputeSession session = new ReferenceComputeSession(shape, root);
        FactorModel model = FactorModel.allocate(root, shape, 2);
        SparseCells liked = TestGrids.cellsWhere(root, shape, (user, item) -> user == 1);
        SparseCells heavy = TestGrids.cellsWhere(root, shape, (user, item) -> item == 1)) {
      // Score = 2 user + item - 1.
      model.users().set(0, 1, 1);
      model.users().set(1, 0, 1);
      model.users().set(1, 1, 1);
      for (int item = 0; item < 2; item++) {
        model.items().set(item, 0, 2);
        model.items().set(item, 1, item - 1);
      }
      Calibration fitted =
          Calibration.fit(
              task(shape, liked, CellField.observed(heavy, 2, 1)), model, session.fields());
      assertEquals(9.0 / 22, fitted.slope(), 1e-7);
      assertEquals(5.0 / 22, fitted.intercept(), 1e-7);
      assertEquals(1.0 / 22, fitted.error(), 1e-7);
      fitted.fold(model, 1);
      for (int user = 0; user < 2; user++) {
        for (int item = 0; item < 2; item++) {
          assertEquals(
              9.0 / 22 * (2 * user + item - 1) + 5.0 / 22, model.scoreAt(user, item), 1e-6);
        }
      }
    }
  }

  private static TrainingTask task(GridShape shape, SparseCells positives, CellField weights) {
    return new TrainingTask(
        shape, positives, weights, CellField.observed(positives, 1, 0), Optional.empty());
  }

  /** Scores 1 and 0 where ratings are 0 and 1: the order is kept, at next to no difference. */
  @Test
  void scoresAgainstTheRatingsGiveNearlyTheMean() {
    GridShape shape = new GridShape(1, 2);
    try (ReferenceComputeSession session = new ReferenceComputeSession(shape, root);
        FactorModel model = FactorModel.allocate(root, shape, 1);
        SparseCells liked = TestGrids.cellsWhere(root, shape, (user, item) -> item == 1)) {
      model.users().set(0, 0, 1);
      model.items().set(0, 0, 1);
      Calibration fitted =
          Calibration.fit(
              task(shape, liked, CellField.observed(liked, 3, 1)), model, session.fields());
      assertEquals(1e-3 / Math.sqrt(3.0 / 16), fitted.slope(), 1e-7);
      assertEquals(0.75 - fitted.slope() / 4, fitted.intercept(), 1e-7);
    }
  }

  @Test
  void equalScoresGiveTheMean() {
    GridShape shape = new GridShape(1, 4);
    try (ReferenceComputeSession session = new ReferenceComputeSession(shape, root);
        FactorModel model = FactorModel.allocate(root, shape, 1);
        SparseCells liked = TestGrids.cellsWhere(root, shape, (user, item) -> item == 1)) {
      model.users().set(0, 0, 3);
      for (int item = 0; item < 4; item++) {
        model.items().set(item, 0, 1);
      }
      Calibration fitted =
          Calibration.fit(task(shape, liked, CellField.constant(1)), model, session.fields());
      assertEquals(0, fitted.slope());
      assertEquals(0.25, fitted.intercept(), 1e-7);
    }
  }
}
