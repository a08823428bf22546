package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.testkit.fixture.Buffers;
import org.pecf.testkit.fixture.RecordingListener;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceLeastSquares;

/** The rules for the plans of least-squares problems: which cells count, and with which weights. */
final class PlanRules {
  private final BackendSessions sessions;
  private final BufferAllocator allocator;
  private final SolutionRules solutions;

  PlanRules(BackendSessions sessions) {
    this.sessions = sessions;
    this.allocator = sessions.allocator();
    this.solutions = new SolutionRules(sessions);
  }

  void reportsItsPlan() {
    try (Grid grid = Grid.of(allocator, 30, 20, 10)) {
      for (ComputationPath path : ComputationPath.values()) {
        for (double error : new double[] {0, 0.1}) {
          RecordingListener listener = new RecordingListener();
          LeastSquaresPlan plan =
              sessions.in(
                  grid.shape(),
                  SessionSetup.DENSE.with(path, error).with(listener),
                  session -> {
                    try (LeastSquares problem = session.leastSquares(grid.reweighted(4))) {
                      return problem.plan();
                    }
                  });
          assertEquals(List.of(plan), listener.events(LeastSquaresPlan.class), "events");
          assertNotEquals(ComputationPath.AUTO, plan.path(), "the plan leaves the path open");
          if (path == ComputationPath.DENSE) {
            assertEquals(ComputationPath.DENSE, plan.path());
          }
          assertEquals(grid.shape().cells(), plan.cells());
          assertTrue(
              plan.weightError() >= 0 && plan.weightError() <= error,
              "an error of " + plan.weightError() + " where " + error + " is allowed");
          if (plan.path() == ComputationPath.DENSE) {
            assertEquals(plan.cells(), plan.exceptions());
            assertEquals(0, plan.weightError());
          }
          assertTrue(plan.exceptions() >= 0 && plan.exceptions() <= plan.cells());
          assertTrue(plan.workingBytes() >= 0);
          assertFalse(plan.reason().isBlank(), "the path is not explained");
        }
      }
    }
  }

  void keepsWeightErrorsWithinTheReportedBound() {
    try (Grid grid = Grid.of(allocator, 41, 24, 11)) {
      CellField reweighted = CellField.product(grid.confidence(), grid.posterior());
      for (double error : new double[] {0, 0.03, 0.3}) {
        assertWeightErrors(grid, reweighted, error, Side.USERS);
      }
    }
    try (Grid grid = Grid.of(allocator, 24, 41, 12)) {
      CellField reweighted = CellField.product(grid.confidence(), grid.posterior());
      assertWeightErrors(grid, reweighted, 0.1, Side.ITEMS);
    }
  }

  /** Compare every cell's weight with its definition and the plan's bound. */
  private void assertWeightErrors(Grid grid, CellField weights, double error, Side side) {
    EffectiveWeights read = effectiveWeights(grid, weights, error, side);
    double off = 0;
    double whole = 0;
    for (int user = 0; user < grid.shape().users(); user++) {
      for (int item = 0; item < grid.shape().items(); item++) {
        double exact = weights.valueAt(user, item);
        off += Math.abs(exact - read.weights()[user][item]);
        whole += exact;
        boolean background = read.background(weights, user, item);
        double allowed =
            exact
                * ((background ? read.plan().weightError() : 0)
                    + 10 * sessions.solutionTolerance());
        String where =
            "weight of the "
                + (background ? "background" : "corrected")
                + " cell of user "
                + user
                + ", item "
                + item
                + ", asked error "
                + error
                + ", "
                + read.plan();
        assertEquals(exact, read.weights()[user][item], allowed, where);
      }
    }
    assertTrue(
        off <= (read.plan().ignoredWeight() + 10 * sessions.solutionTolerance()) * whole,
        off / whole + " of all weight is ignored: " + read.plan());
    assertTrue(read.plan().ignoredWeight() <= error, "more is ignored than allowed");
  }

  void keepsHeldOutCellsOutOrCountsThemByExpectation() {
    try (Grid grid = Grid.of(allocator, 41, 24, 20)) {
      CellField everywhere = CellField.product(grid.confidence(), grid.posterior());
      CellField weights = CellField.product(Grid.MASK, everywhere);
      double share = Grid.MASK.fraction();
      EffectiveWeights read = effectiveWeights(grid, weights, 0.1, Side.USERS);
      for (int user = 0; user < grid.shape().users(); user++) {
        for (int item = 0; item < grid.shape().items(); item++) {
          double exact = weights.valueAt(user, item);
          double expected = share * everywhere.valueAt(user, item);
          double actual = read.weights()[user][item];
          double rounding = 10 * sessions.solutionTolerance();
          boolean byDefinition = Math.abs(actual - exact) <= rounding * exact;
          boolean byExpectation =
              read.background(weights, user, item)
                  && Math.abs(actual - expected)
                      <= (read.plan().weightError() + rounding) * expected;
          assertTrue(
              byDefinition || byExpectation,
              "the cell of user "
                  + user
                  + ", item "
                  + item
                  + " weighs "
                  + actual
                  + ", neither "
                  + exact
                  + " nor, as background, "
                  + expected
                  + "; "
                  + read.plan());
        }
      }
    }
  }

  void remembersNothingOfOtherProblems() {
    try (Noise noise = Noise.of(allocator, new GridShape(39, 33), 25)) {
      Ridge ridge = new Ridge(0.3, 0.5, 0);
      LeastSquaresRequest whole =
          new LeastSquaresRequest(
              Noise.confidence(noise.whole()), Noise.ratings(noise.whole()), 5, ridge);
      LeastSquaresRequest part =
          new LeastSquaresRequest(
              CellField.product(Noise.MASK, Noise.confidence(noise.training())),
              Noise.ratings(noise.training()),
              5,
              ridge);
      for (SessionSetup setup :
          List.of(
              SessionSetup.DENSE,
              SessionSetup.CORRECTED,
              SessionSetup.DENSE.with(ComputationPath.CORRECTED, 0.5))) {
        for (Side side : Side.values()) {
          String what = setup.path() + " path, error " + setup.weightError() + ", " + side;
          try (FactorModel after = TestGrids.randomModel(allocator, noise.shape(), 5, 4711);
              FactorModel alone = TestGrids.randomModel(allocator, noise.shape(), 5, 4711);
              FactorModel expected = TestGrids.randomModel(allocator, noise.shape(), 5, 4711);
              FactorModel first = TestGrids.randomModel(allocator, noise.shape(), 5, 4711)) {
            sessions.in(
                noise.shape(),
                setup,
                session -> {
                  SolutionRules.solve(session, whole, side, first);
                  return SolutionRules.solve(session, part, side, after);
                });
            sessions.in(
                noise.shape(), setup, session -> SolutionRules.solve(session, part, side, alone));
            assertArrayEquals(
                Buffers.values(alone),
                Buffers.values(after),
                what + ": the solution depends on a problem before it");
            if (setup.weightError() == 0) {
              new ReferenceLeastSquares(part, noise.shape(), () -> false).solve(side, expected);
              solutions.assertRowsEqual(expected.side(side), after.side(side), what);
            }
          }
        }
      }
    }
  }

  /** The weights that a backend really computed with. */
  private record EffectiveWeights(double[][] weights, LeastSquaresPlan plan) {
    boolean background(CellField field, int user, int item) {
      return plan.path() == ComputationPath.CORRECTED
          && BackgroundCells.contain(field, user, item, plan.scoreBound() * (1 + 1e-5));
    }
  }

  /**
   * Read every cell's weight out of a solution. With the unit vectors as the other side's rows, the
   * equations of a row are diagonal: {@code u_j = w_ij / (w_ij + lambda / 2)} for targets of one.
   */
  private EffectiveWeights effectiveWeights(Grid grid, CellField weights, double error, Side side) {
    double half = 0.05;
    int rank = side == Side.USERS ? grid.shape().items() : grid.shape().users();
    LeastSquaresRequest request =
        new LeastSquaresRequest(
            weights, CellField.constant(1), rank, new Ridge(2 * half, 2 * half, 0));
    try (FactorModel model = FactorModel.allocate(allocator, grid.shape(), rank)) {
      for (int row = 0; row < rank; row++) {
        model.side(side.other()).set(row, row, 1);
      }
      LeastSquaresPlan plan =
          sessions.in(
              grid.shape(),
              SessionSetup.DENSE.with(ComputationPath.CORRECTED, error),
              session -> {
                try (LeastSquares problem = session.leastSquares(request)) {
                  problem.solve(side, model);
                  return problem.plan();
                }
              });
      double[][] read = new double[grid.shape().users()][grid.shape().items()];
      for (int user = 0; user < grid.shape().users(); user++) {
        for (int item = 0; item < grid.shape().items(); item++) {
          double solved =
              side == Side.USERS ? model.users().get(user, item) : model.items().get(item, user);
          read[user][item] = solved * half / (1 - solved);
        }
      }
      return new EffectiveWeights(read, plan);
    }
  }
}
