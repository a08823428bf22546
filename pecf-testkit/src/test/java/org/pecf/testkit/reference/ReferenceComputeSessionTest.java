package org.pecf.testkit.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;

/** Values worked out by hand on a grid of two users and three items. */
class ReferenceComputeSessionTest {
  private static final GridShape SHAPE = new GridShape(2, 3);

  private final RootAllocator allocator = new RootAllocator();
  private final ComputeSession session = new ReferenceComputeSession(SHAPE, allocator);

  @AfterEach
  void nothingIsLeftAllocated() {
    session.close();
    allocator.close();
  }

  /** Cells (0, 0), (0, 2) and (1, 1). */
  private SparseCells positives() {
    return SparseCells.ofSorted(allocator, 2, 3, 3, new int[] {0, 0, 1}, new int[] {0, 2, 1});
  }

  @Test
  void sumsEveryFieldOverAllCells() {
    try (SparseCells cells = positives()) {
      CellField ratings = CellField.observed(cells, 1, 0.5f);
      assertArrayEquals(
          new double[] {12, 4.5, 3.75},
          session
              .fields()
              .sums(List.of(CellField.constant(2), ratings, CellField.square(ratings))));
    }
  }

  @Test
  void gathersInByUserOrderAndFillsTiles() {
    try (SparseCells cells = positives();
        FactorModel model = model(new float[] {1, 2}, new float[] {1, 3, 5});
        ArrowBuf values = allocator.buffer(12);
        FloatMatrix tile = FloatMatrix.allocate(allocator, 1, 2)) {
      CellField score = CellField.score(model);
      session.fields().gather(score, cells, values);
      assertEquals(1, values.getFloat(0));
      assertEquals(5, values.getFloat(4));
      assertEquals(6, values.getFloat(8));
      session.fields().fill(score, 1, 1, tile);
      assertEquals(6, tile.get(0, 0));
      assertEquals(10, tile.get(0, 1));
    }
  }

  @Test
  void solvesRowsOfRankOne() {
    try (SparseCells cells = positives();
        FactorModel model = model(new float[2], new float[] {1, 2, 0})) {
      CellField weights = CellField.observed(cells, 1, 0.5f);
      CellField targets = CellField.observed(cells, 1, 0);
      try (LeastSquares problem =
          session.leastSquares(new LeastSquaresRequest(weights, targets, 1, new Ridge(2, 4, 0)))) {
        double objective = problem.solve(Side.USERS, model);
        // (1 * 1 + 0.5 * 4 + 1) u = 1, and (0.5 * 1 + 1 * 4 + 1) u = 2
        assertEquals(0.25f, model.users().get(0, 0));
        assertEquals(2 / 5.5f, model.users().get(1, 0));
        double second = 2 / 5.5;
        double byHand =
            0.75 * 0.75
                + 0.5 * 0.5 * 0.5
                + 1
                + 0.5 * second * second
                + (1 - 2 * second) * (1 - 2 * second)
                + 0.25 * 0.25
                + second * second
                + 2 * 5;
        assertEquals(byHand, objective, 1e-6);
      }
    }
  }

  @Test
  void scalesPenaltiesByTheWeightOfTheirRow() {
    try (SparseCells cells = positives();
        FactorModel model = model(new float[2], new float[] {1, 2, 0})) {
      CellField onlyPositives = CellField.observed(cells, 1, 0);
      try (LeastSquares problem =
          session.leastSquares(
              new LeastSquaresRequest(onlyPositives, onlyPositives, 1, new Ridge(3, 3, 1)))) {
        problem.solve(Side.USERS, model);
        // Row weights 2 and 1, of mean 1.5: penalties 4 and 2, halved in the equations.
        assertEquals(1 / (1 + 2f), model.users().get(0, 0));
        assertEquals(2 / (4 + 1f), model.users().get(1, 0));
      }
    }
  }

  @Test
  void setsRowsWithoutWeightAndPenaltyToZero() {
    try (SparseCells cells =
            SparseCells.ofSorted(allocator, 2, 3, 1, new int[] {0}, new int[] {0});
        FactorModel model = model(new float[] {7, 7}, new float[] {1, 2, 3})) {
      CellField onlyPositives = CellField.observed(cells, 1, 0);
      try (LeastSquares problem =
          session.leastSquares(
              new LeastSquaresRequest(onlyPositives, onlyPositives, 1, new Ridge(1, 1, 0.5)))) {
        problem.solve(Side.USERS, model);
        assertEquals(0, model.users().get(1, 0));
      }
    }
  }

  @Test
  void ranksBestFirstAndEqualScoresByItem() {
    try (SparseCells cells = positives();
        FactorModel model = model(new float[] {1, -1}, new float[] {2, 4, 4})) {
      CellField score = CellField.score(model);
      try (RankedItems all =
          session.rank(new RankingRequest(score, 0, 2, 5, List.of(), Optional.empty()))) {
        assertEquals(List.of(1, 2, 0), list(all, 0));
        assertEquals(List.of(0, 1, 2), list(all, 1));
        assertEquals(-4, all.score(1, 2));
      }
      try (RankedItems unseen =
          session.rank(new RankingRequest(score, 1, 1, 2, List.of(cells), Optional.empty()))) {
        assertEquals(List.of(0, 2), list(unseen, 0));
      }
    }
  }

  @Test
  void refusesListsThatDoNotFit() {
    try (FactorModel model = model(new float[] {1, -1}, new float[] {2, 4, 4})) {
      allocator.setLimit(allocator.getAllocatedMemory() + 16);
      PecfException refusal =
          assertThrows(
              PecfException.class,
              () ->
                  session.rank(
                      new RankingRequest(
                          CellField.score(model), 0, 2, 5, List.of(), Optional.empty())));
      assertEquals(ErrorCode.RESOURCES, refusal.code());
    }
  }

  private static List<Integer> list(RankedItems lists, int row) {
    return IntStream.range(0, lists.count(row)).mapToObj(place -> lists.item(row, place)).toList();
  }

  private FactorModel model(float[] users, float[] items) {
    FactorModel model = FactorModel.allocate(allocator, SHAPE, 1);
    model.users().writeRows(0, users.length, users);
    model.items().writeRows(0, items.length, items);
    return model;
  }
}
