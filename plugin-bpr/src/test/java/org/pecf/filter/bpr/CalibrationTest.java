package org.pecf.filter.bpr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.ReferenceComputeSession;
import org.pecf.testkit.TestGrids;

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
              session.fields(),
              CellField.observed(heavy, 2, 1),
              CellField.observed(liked, 1, 0),
              model);
      assertEquals(9.0 / 22, fitted.slope(), 1e-7);
      assertEquals(5.0 / 22, fitted.intercept(), 1e-7);
      fitted.foldInto(model);
      for (int user = 0; user < 2; user++) {
        for (int item = 0; item < 2; item++) {
          assertEquals(
              9.0 / 22 * (2 * user + item - 1) + 5.0 / 22, model.scoreAt(user, item), 1e-6);
        }
      }
    }
  }

  @Test
  void aBiasMorePredictsTheSame() {
    GridShape shape = new GridShape(3, 4);
    try (FactorModel model = TestGrids.randomModel(root, shape, 3, 5);
        FactorModel wider = Calibration.withBias(model, root)) {
      assertEquals(4, wider.rank());
      for (int user = 0; user < 3; user++) {
        assertEquals(1, wider.users().get(user, 3));
        for (int item = 0; item < 4; item++) {
          assertEquals(model.scoreAt(user, item), wider.scoreAt(user, item));
        }
      }
      new Calibration(2, 0.5).foldInto(wider);
      assertEquals(2 * model.scoreAt(2, 1) + 0.5, wider.scoreAt(2, 1), 1e-5);
    }
  }

  @Test
  void scoresAgainstTheRatingsGiveTheMean() {
    // Scores 1, 0 with ratings 0, 1 and weights 1, 3.
    assertEquals(new Calibration(0, 0.75), Calibration.of(4, 1, 3, 1, 0));
  }

  @Test
  void equalScoresGiveTheMean() {
    // Score 3 everywhere, with ratings 0, 1 and weights 3, 1.
    assertEquals(new Calibration(0, 0.25), Calibration.of(4, 12, 1, 36, 3));
    assertEquals(new Calibration(0, 0.25), Calibration.of(4, 0, 1, 0, 0));
  }

  @Test
  void noWeightGivesZero() {
    assertEquals(new Calibration(0, 0), Calibration.of(0, 0, 0, 0, 0));
  }
}
