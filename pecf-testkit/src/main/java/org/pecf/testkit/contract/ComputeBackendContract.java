package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apiguardian.api.API;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Product;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;
import org.pecf.testkit.contract.Grid.NamedProblem;
import org.pecf.testkit.fixture.Buffers;
import org.pecf.testkit.fixture.CountdownCancellation;
import org.pecf.testkit.fixture.DegenerateGrid;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.RecordingListener;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.fixture.ThreadedParallelism;
import org.pecf.testkit.reference.ReferenceComputeSession;
import org.pecf.testkit.reference.ReferenceLeastSquares;

/**
 * Check that a compute backend keeps its contract: extend it, and supply the provider.
 *
 * <p>Every result is compared with its definition, cell by cell and in double precision. A session
 * that does not give back all memory when it is closed fails the test it did so in. Where the
 * backend says that it is not available here, the tests are skipped.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class ComputeBackendContract extends ProviderContract {
  private static final int[][] SIZES = {{1, 1}, {1, 7}, {7, 1}, {2, 65}, {65, 2}, {17, 130}};

  private final RootAllocator root = new RootAllocator();

  /** For subclasses. */
  protected ComputeBackendContract() {}

  @Override
  protected abstract ComputeBackendProvider<?> provider();

  /** Return how far a field's value may be from its definition, relative to one or the value. */
  protected double valueTolerance() {
    return 1e-5;
  }

  /** Return how far a sum may be from its definition, relative to the sum of absolute values. */
  protected double sumTolerance() {
    return 1e-5;
  }

  /** Return how far a row of a solution may be from the true one, relative to its length. */
  protected double solutionTolerance() {
    return 1e-4;
  }

  /**
   * Return a grid that the backend computes in several tiles both ways, at least 10 x 10: what
   * threads and the order of tasks could make a difference to.
   */
  protected GridShape tiledShape() {
    return new GridShape(150, 70);
  }

  /** Close what the test allocated; what it kept fails it. */
  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** Probing explains its answer, and answers alike every time. */
  @Test
  public void saysWhetherItWorksHere() {
    Availability availability = provider().probe();
    assertNotNull(availability.explanation());
    assertFalse(availability.explanation().isBlank(), "the availability is not explained");
    assertEquals(availability.available(), provider().probe().available());
  }

  // Fields

  /** Tiles of every kind of field hold what {@link CellField#valueAt} says. */
  @Test
  public void fillsTilesByDefinition() {
    for (int[] size : SIZES) {
      try (Grid grid = grid(size)) {
        GridShape shape = grid.shape();
        List<int[]> tiles =
            List.of(
                new int[] {0, 0, shape.users(), shape.items()},
                new int[] {shape.users() / 2, shape.items() / 3, 1, shape.items() / 2 + 1},
                new int[] {shape.users() - 1, shape.items() - 1, 1, 1});
        in(
            shape,
            Setting.DENSE,
            session -> {
              for (NamedField named : grid.fields()) {
                for (int[] tile : tiles) {
                  assertFilled(session, named, tile);
                }
              }
              return null;
            });
      }
    }
  }

  private void assertFilled(ComputeSession session, NamedField named, int[] tile) {
    try (FloatMatrix values = FloatMatrix.allocate(root, tile[2], tile[3])) {
      session.fields().fill(named.field(), tile[0], tile[1], values);
      for (int row = 0; row < tile[2]; row++) {
        for (int column = 0; column < tile[3]; column++) {
          assertValue(named, tile[0] + row, tile[1] + column, values.get(row, column));
        }
      }
    }
  }

  /** Gathered values are what {@link CellField#valueAt} says, in by-user order. */
  @Test
  public void gathersByDefinition() {
    for (int[] size : SIZES) {
      try (Grid grid = grid(size);
          SparseCells nowhere = TestGrids.cellsWhere(root, grid.shape(), (u, i) -> false);
          SparseCells everywhere = TestGrids.cellsWhere(root, grid.shape(), (u, i) -> true)) {
        in(
            grid.shape(),
            Setting.DENSE,
            session -> {
              for (NamedField named : grid.fields()) {
                for (SparseCells cells : List.of(grid.others(), nowhere, everywhere)) {
                  assertGathered(session, named, cells);
                }
              }
              return null;
            });
      }
    }
  }

  private void assertGathered(ComputeSession session, NamedField named, SparseCells cells) {
    try (ArrowBuf values = root.buffer(Math.max(1, (long) cells.count() * Float.BYTES))) {
      session.fields().gather(named.field(), cells, values);
      for (int user = 0; user < cells.users(); user++) {
        for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
          assertValue(named, user, cells.itemAt(k), values.getFloat((long) k * Float.BYTES));
        }
      }
    }
  }

  private void assertValue(NamedField named, int user, int item, float value) {
    float expected = named.field().valueAt(user, item);
    assertEquals(
        expected,
        value,
        valueTolerance() * Math.max(1, Math.abs(expected)),
        () -> named.name() + " at user " + user + ", item " + item);
  }

  /** Sums count every cell once, for one field or many. */
  @Test
  public void sumsByDefinition() {
    for (int[] size : SIZES) {
      try (Grid grid = grid(size)) {
        in(
            grid.shape(),
            Setting.DENSE,
            session -> {
              List<NamedField> fields = grid.fields();
              double[] sums =
                  session.fields().sums(fields.stream().map(NamedField::field).toList());
              assertEquals(fields.size(), sums.length);
              for (int k = 0; k < sums.length; k++) {
                assertSum(fields.get(k), grid.shape(), sums[k]);
              }
              NamedField alone = new NamedField("error alone", grid.error());
              assertSum(alone, grid.shape(), session.fields().sums(List.of(alone.field()))[0]);
              assertEquals(0, session.fields().sums(List.of()).length);
              return null;
            });
      }
    }
  }

  private void assertSum(NamedField named, GridShape shape, double actual) {
    double sum = 0;
    double absolute = 0;
    for (int user = 0; user < shape.users(); user++) {
      for (int item = 0; item < shape.items(); item++) {
        double value = named.field().valueAt(user, item);
        sum += value;
        absolute += Math.abs(value);
      }
    }
    assertEquals(
        sum, actual, sumTolerance() * absolute, () -> named.name() + " summed over " + shape);
  }

  // Least squares

  /** Every kind of weights and targets is solved on the dense path. */
  @Test
  public void solvesEveryProblemOnTheDensePath() {
    try (Grid grid = Grid.of(root, 37, 29, 1)) {
      assertAll(
          grid.problems(7).stream()
              .map(problem -> () -> assertSolved(grid, problem, Setting.DENSE)));
    }
  }

  /** A weight error of zero makes the corrected path exact. */
  @Test
  public void solvesEveryProblemExactlyOnTheCorrectedPathWithoutWeightError() {
    try (Grid grid = Grid.of(root, 29, 37, 2)) {
      assertAll(
          grid.problems(7).stream()
              .map(problem -> () -> assertSolved(grid, problem, Setting.CORRECTED)));
    }
  }

  /**
   * With weights that depend on no score the background is exact whatever error is allowed, and
   * with others a small error of weights makes a small error of solutions.
   */
  @Test
  public void solvesEveryProblemOnTheCorrectedPathWithASmallWeightError() {
    double error = 1e-3;
    Setting setting = Setting.DENSE.with(ComputationPath.CORRECTED, error);
    try (Grid grid = Grid.of(root, 33, 31, 21)) {
      List<Executable> checks = new ArrayList<>();
      for (NamedProblem named : grid.problems(7)) {
        if (!masked(named.request().weights())) {
          checks.add(() -> assertNearlySolved(grid, named, setting));
        }
      }
      assertAll(checks);
    }
  }

  /** Held-out cells may count by expectation here. */
  private static boolean masked(CellField weights) {
    return weights instanceof Product product && product.factors().contains(Grid.MASK);
  }

  private void assertNearlySolved(Grid grid, NamedProblem named, Setting setting) {
    LeastSquaresRequest request = named.request();
    ReferenceLeastSquares reference = reference(grid, request);
    for (Side side : Side.values()) {
      try (FactorModel expected = start(grid, request.rank());
          FactorModel actual = start(grid, request.rank())) {
        reference.solve(side, expected);
        double[] objective = {0};
        LeastSquaresPlan plan;
        try {
          plan =
              in(
                  grid.shape(),
                  setting,
                  session -> {
                    try (LeastSquares problem = session.leastSquares(request)) {
                      objective[0] = problem.solve(side, actual);
                      return problem.plan();
                    }
                  });
        } catch (PecfException e) {
          assertEquals(ErrorCode.BAD_OPTION, e.code(), named.name() + ": " + e.getMessage());
          return;
        }
        String what = named.name() + ", " + side + ", " + plan;
        double tolerance = solutionTolerance() + 10 * plan.weightError();
        assertRowsEqual(expected.side(side), actual.side(side), tolerance, what);
        double byDefinition = reference.objective(actual);
        assertEquals(byDefinition, objective[0], tolerance * byDefinition, what + ": objective");
      }
    }
  }

  /** Sizes and ranks beside the multiples of any tile are solved. */
  @Test
  public void solvesAnySizeAndRank() {
    int[][] sizesAndRanks = {
      {1, 1, 1}, {2, 1, 7}, {1, 65, 7}, {7, 2, 50}, {130, 33, 1}, {33, 65, 50}, {9, 20, 109}
    };
    List<Executable> checks = new ArrayList<>();
    for (int[] size : sizesAndRanks) {
      for (Setting setting : List.of(Setting.DENSE, Setting.CORRECTED)) {
        checks.add(
            () -> {
              try (Grid grid = Grid.of(root, size[0], size[1], 3)) {
                LeastSquaresRequest request = grid.reweighted(size[2]);
                String name = size[0] + " x " + size[1] + " of rank " + size[2];
                assertSolved(grid, new NamedProblem(name, request), setting);
              }
            });
      }
    }
    assertAll(checks);
  }

  /** Solve both sides from a random start, each compared with the reference's solution. */
  private void assertSolved(Grid grid, NamedProblem named, Setting setting) {
    LeastSquaresRequest request = named.request();
    ReferenceLeastSquares reference = reference(grid, request);
    for (Side side : Side.values()) {
      String what = named.name() + ", " + setting.path() + " path, " + side;
      try (FactorModel expected = start(grid, request.rank());
          FactorModel actual = start(grid, request.rank())) {
        reference.solve(side, expected);
        in(grid.shape(), setting, session -> solve(session, request, side, actual));
        assertRowsEqual(expected.side(side), actual.side(side), what);
      }
    }
  }

  private void assertRowsEqual(FloatMatrix expected, FloatMatrix actual, String what) {
    assertRowsEqual(expected, actual, solutionTolerance(), what);
  }

  private static void assertRowsEqual(
      FloatMatrix expected, FloatMatrix actual, double tolerance, String what) {
    double[][] expectedRows = ReferenceLeastSquares.rows(expected);
    double[][] actualRows = ReferenceLeastSquares.rows(actual);
    double typical = 0;
    for (double[] row : expectedRows) {
      typical += ReferenceLeastSquares.dot(row, row) / expectedRows.length;
    }
    for (int row = 0; row < expectedRows.length; row++) {
      double distance = 0;
      for (int k = 0; k < expectedRows[row].length; k++) {
        double difference = expectedRows[row][k] - actualRows[row][k];
        distance += difference * difference;
      }
      double length = ReferenceLeastSquares.dot(expectedRows[row], expectedRows[row]);
      double allowed = tolerance * (Math.sqrt(length) + Math.sqrt(typical) + 0.01);
      int number = row;
      double off = Math.sqrt(distance);
      assertTrue(
          off <= allowed,
          () ->
              what + ": row " + number + " is off by " + off + " where " + allowed + " is allowed");
    }
  }

  /** Penalties follow {@link Ridge}, and rows without weight become zero. */
  @Test
  public void scalesPenaltiesByRowWeight() {
    try (Grid grid = Grid.of(root, 17, 13, 4);
        SparseCells some =
            TestGrids.cellsWhere(
                root, grid.shape(), (u, i) -> u != 5 && i != 6 && u * i % 3 == 1)) {
      CellField weights = CellField.observed(some, 1, 0);
      for (double exponent : new double[] {0.5, 1}) {
        for (Setting setting : List.of(Setting.DENSE, Setting.CORRECTED)) {
          assertSolved(
              grid,
              new NamedProblem(
                  "rows without weight, exponent " + exponent,
                  new LeastSquaresRequest(
                      weights, CellField.constant(1), 4, new Ridge(0.4, 0.8, exponent))),
              setting);
        }
      }
    }
  }

  /** Every {@link DegenerateGrid} is solved. */
  @Test
  public void solvesDegenerateGrids() {
    for (DegenerateGrid degenerate : DegenerateGrid.values()) {
      try (SparseCells positives = degenerate.positives(root)) {
        LeastSquaresRequest request =
            new LeastSquaresRequest(
                CellField.observed(positives, 1, 0.01f),
                CellField.observed(positives, 1, 0),
                3,
                new Ridge(0.1, 0.1, 0));
        for (Setting setting : List.of(Setting.DENSE, Setting.CORRECTED)) {
          try (Grid grid =
              Grid.of(root, degenerate.shape().users(), degenerate.shape().items(), 5)) {
            assertSolved(grid, new NamedProblem(degenerate.name(), request), setting);
          }
        }
      }
    }
  }

  /** What a half-sweep returns is the objective after it. */
  @Test
  public void returnsTheObjectiveByDefinition() {
    try (Grid grid = Grid.of(root, 23, 31, 6)) {
      List<Executable> checks = new ArrayList<>();
      for (NamedProblem named : grid.problems(6)) {
        for (Setting setting : List.of(Setting.DENSE, Setting.CORRECTED)) {
          for (Side side : Side.values()) {
            checks.add(
                () -> {
                  try (FactorModel model = start(grid, 6)) {
                    double objective =
                        in(
                            grid.shape(),
                            setting,
                            session -> solve(session, named.request(), side, model));
                    double expected = reference(grid, named.request()).objective(model);
                    assertEquals(
                        expected,
                        objective,
                        solutionTolerance() * expected,
                        () -> named.name() + ", " + setting.path() + " path, after " + side);
                  }
                });
          }
        }
      }
      assertAll(checks);
    }
  }

  /** No half-sweep makes the objective worse. */
  @Test
  public void neverIncreasesTheObjective() {
    Setting corrected = Setting.DENSE.with(ComputationPath.CORRECTED, 0.05);
    try (Grid grid = Grid.of(root, 40, 30, 7)) {
      for (Setting setting : List.of(Setting.DENSE, corrected)) {
        try (FactorModel model = start(grid, 5)) {
          in(
              grid.shape(),
              setting,
              session -> {
                assertNeverIncreases(session, grid.reweighted(5), model);
                return null;
              });
        }
      }
    }
  }

  private void assertNeverIncreases(
      ComputeSession session, LeastSquaresRequest request, FactorModel model) {
    try (LeastSquares problem = session.leastSquares(request)) {
      double last = problem.solve(Side.USERS, model);
      double first = last;
      for (int half = 1; half < 8; half++) {
        Side side = half % 2 == 0 ? Side.USERS : Side.ITEMS;
        double objective = problem.solve(side, model);
        assertTrue(
            objective <= last * (1 + sumTolerance()),
            "half-sweep " + half + " went from " + last + " to " + objective);
        last = objective;
      }
      assertTrue(last < first, "eight half-sweeps changed nothing");
    }
  }

  /** The gradient of the objective vanishes at every solved row. */
  @Test
  public void leavesNoGradientInSolvedRows() {
    try (Grid grid = Grid.of(root, 26, 34, 8)) {
      for (NamedProblem named : grid.problems(6)) {
        ReferenceLeastSquares reference = reference(grid, named.request());
        for (Side side : Side.values()) {
          try (FactorModel model = start(grid, 6)) {
            in(grid.shape(), Setting.DENSE, s -> solve(s, named.request(), side, model));
            assertNoGradient(reference, side, model, named.name());
          }
        }
      }
    }
  }

  private void assertNoGradient(
      ReferenceLeastSquares problem, Side side, FactorModel model, String name) {
    double[][] own = ReferenceLeastSquares.rows(model.side(side));
    double[][] other = ReferenceLeastSquares.rows(model.side(side.other()));
    for (int row = 0; row < own.length; row++) {
      double half = problem.penalties(side)[row] / 2;
      double[] gradient = new double[own[row].length];
      double scale = half * Math.sqrt(ReferenceLeastSquares.dot(own[row], own[row]));
      for (int k = 0; k < gradient.length; k++) {
        gradient[k] = half * own[row][k];
      }
      for (int j = 0; j < other.length; j++) {
        int user = side == Side.USERS ? row : j;
        int item = side == Side.USERS ? j : row;
        double weight = problem.weight(user, item);
        double score = ReferenceLeastSquares.dot(own[row], other[j]);
        double length = Math.sqrt(ReferenceLeastSquares.dot(other[j], other[j]));
        scale += weight * (Math.abs(problem.target(user, item)) + Math.abs(score)) * length;
        for (int k = 0; k < gradient.length; k++) {
          gradient[k] -= weight * (problem.target(user, item) - score) * other[j][k];
        }
      }
      double size = Math.sqrt(ReferenceLeastSquares.dot(gradient, gradient));
      String what = name + ", " + side + ", row " + row;
      assertEquals(0, size, solutionTolerance() * scale, what);
    }
  }

  /** Fields, cell sets, models and the other side of factors stay as they are. */
  @Test
  public void leavesItsInputsAlone() {
    try (Grid grid = Grid.of(root, 20, 18, 9);
        FactorModel model = start(grid, 4)) {
      List<Integer> before = fingerprints(grid);
      for (Side side : Side.values()) {
        float[] other = Buffers.values(model.side(side.other()));
        for (Setting setting : List.of(Setting.DENSE, Setting.CORRECTED)) {
          in(
              grid.shape(),
              setting,
              session -> solve(session, grid.reweightedResiduals(4), side, model));
          assertArrayEquals(other, Buffers.values(model.side(side.other())), "the other side");
        }
      }
      in(
          grid.shape(),
          Setting.DENSE,
          session -> {
            session.fields().sums(grid.fields().stream().map(NamedField::field).toList());
            rank(session, grid.prediction(), 0, 20, 5, List.of(grid.positives())).close();
            return null;
          });
      assertEquals(before, fingerprints(grid), "cells or models changed");
    }
  }

  private static List<Integer> fingerprints(Grid grid) {
    return List.of(
        Buffers.fingerprint(grid.positives()),
        Buffers.fingerprint(grid.others()),
        Buffers.fingerprint(grid.first()),
        Buffers.fingerprint(grid.second()));
  }

  /** The listener hears of each plan, and plans say what was asked for. */
  @Test
  public void reportsItsPlan() {
    try (Grid grid = Grid.of(root, 30, 20, 10)) {
      for (ComputationPath path : ComputationPath.values()) {
        for (double error : new double[] {0, 0.1}) {
          RecordingListener listener = new RecordingListener();
          LeastSquaresPlan plan =
              in(
                  grid.shape(),
                  Setting.DENSE.with(path, error).with(listener),
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

  /** No background cell weighs more or less than the plan admits, and no corrected one is off. */
  @Test
  public void keepsWeightErrorsWithinTheReportedBound() {
    try (Grid grid = Grid.of(root, 41, 24, 11)) {
      CellField reweighted = CellField.product(grid.confidence(), grid.posterior());
      for (double error : new double[] {0, 0.03, 0.3}) {
        assertWeightErrors(grid, reweighted, error, Side.USERS);
      }
    }
    try (Grid grid = Grid.of(root, 24, 41, 12)) {
      CellField reweighted = CellField.product(grid.confidence(), grid.posterior());
      assertWeightErrors(grid, reweighted, 0.1, Side.ITEMS);
    }
  }

  /** Compare every cell's weight with its definition and the plan's bound. */
  private void assertWeightErrors(Grid grid, CellField weights, double error, Side side) {
    EffectiveWeights read = effectiveWeights(grid, weights, error, side);
    for (int user = 0; user < grid.shape().users(); user++) {
      for (int item = 0; item < grid.shape().items(); item++) {
        double exact = weights.valueAt(user, item);
        boolean background = read.background(weights, user, item);
        double allowed =
            exact * ((background ? read.plan().weightError() : 0) + 10 * solutionTolerance());
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
  }

  /** Cells outside a part weigh nothing, or background weighs its share of the part. */
  @Test
  public void keepsHeldOutCellsOutOrCountsThemByExpectation() {
    try (Grid grid = Grid.of(root, 41, 24, 20)) {
      CellField everywhere = CellField.product(grid.confidence(), grid.posterior());
      CellField weights = CellField.product(Grid.MASK, everywhere);
      double share = Grid.MASK.partition().fraction(Grid.MASK.part());
      EffectiveWeights read = effectiveWeights(grid, weights, 0.1, Side.USERS);
      for (int user = 0; user < grid.shape().users(); user++) {
        for (int item = 0; item < grid.shape().items(); item++) {
          double exact = weights.valueAt(user, item);
          double expected = share * everywhere.valueAt(user, item);
          double actual = read.weights()[user][item];
          double rounding = 10 * solutionTolerance();
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

  /**
   * A problem is solved as if it were the only one: a session that has seen held-out positives in
   * another problem, and is then asked to leave them out, knows nothing of them.
   */
  @Test
  public void remembersNothingOfOtherProblems() {
    try (Noise noise = Noise.of(root, new GridShape(39, 33), 25)) {
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
      for (Setting setting :
          List.of(
              Setting.DENSE,
              Setting.CORRECTED,
              Setting.DENSE.with(ComputationPath.CORRECTED, 0.5))) {
        for (Side side : Side.values()) {
          String what = setting.path() + " path, error " + setting.weightError() + ", " + side;
          try (FactorModel after = TestGrids.randomModel(root, noise.shape(), 5, 4711);
              FactorModel alone = TestGrids.randomModel(root, noise.shape(), 5, 4711);
              FactorModel expected = TestGrids.randomModel(root, noise.shape(), 5, 4711);
              FactorModel first = TestGrids.randomModel(root, noise.shape(), 5, 4711)) {
            in(
                noise.shape(),
                setting,
                session -> {
                  solve(session, whole, side, first);
                  return solve(session, part, side, after);
                });
            in(noise.shape(), setting, session -> solve(session, part, side, alone));
            assertArrayEquals(
                Buffers.values(alone),
                Buffers.values(after),
                what + ": the solution depends on a problem before it");
            if (setting.weightError() == 0) {
              new ReferenceLeastSquares(part, noise.shape(), () -> false).solve(side, expected);
              assertRowsEqual(expected.side(side), after.side(side), what);
            }
          }
        }
      }
    }
  }

  /** Hold the weights that a backend really computed with. */
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
    try (FactorModel model = FactorModel.allocate(root, grid.shape(), rank)) {
      for (int row = 0; row < rank; row++) {
        model.side(side.other()).set(row, row, 1);
      }
      LeastSquaresPlan plan =
          in(
              grid.shape(),
              Setting.DENSE.with(ComputationPath.CORRECTED, error),
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

  /** The order of users and items has no meaning. */
  @Test
  public void permutingUsersAndItemsPermutesTheSolution() {
    int users = 19;
    int items = 27;
    IntUnaryOperator userPlace = user -> (user * 7 + 3) % users;
    IntUnaryOperator itemPlace = item -> (item * 5 + 11) % items;
    try (Grid grid = Grid.of(root, users, items, 13);
        Grid permuted = permuted(grid, userPlace, itemPlace);
        FactorModel model = start(grid, 5);
        FactorModel other = permuted(model, userPlace, itemPlace)) {
      for (Setting setting : List.of(Setting.DENSE, Setting.CORRECTED)) {
        in(
            grid.shape(),
            setting,
            session -> {
              for (Side side : Side.values()) {
                solve(session, grid.reweightedResiduals(5), side, model);
                solve(session, permuted.reweightedResiduals(5), side, other);
              }
              return null;
            });
        try (FactorModel expected = permuted(model, userPlace, itemPlace)) {
          assertRowsEqual(expected.users(), other.users(), setting.path() + " path, users");
          assertRowsEqual(expected.items(), other.items(), setting.path() + " path, items");
        }
      }
    }
  }

  private Grid permuted(Grid grid, IntUnaryOperator userPlace, IntUnaryOperator itemPlace) {
    return new Grid(
        grid.shape(),
        permuted(grid.positives(), userPlace, itemPlace),
        permuted(grid.others(), userPlace, itemPlace),
        permuted(grid.first(), userPlace, itemPlace),
        permuted(grid.second(), userPlace, itemPlace));
  }

  private SparseCells permuted(
      SparseCells cells, IntUnaryOperator userPlace, IntUnaryOperator itemPlace) {
    Set<List<Integer>> places = new HashSet<>();
    for (int user = 0; user < cells.users(); user++) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        places.add(List.of(userPlace.applyAsInt(user), itemPlace.applyAsInt(cells.itemAt(k))));
      }
    }
    return TestGrids.cellsWhere(
        root,
        new GridShape(cells.users(), cells.items()),
        (user, item) -> places.contains(List.of(user, item)));
  }

  private FactorModel permuted(
      FactorModel model, IntUnaryOperator userPlace, IntUnaryOperator itemPlace) {
    FactorModel permuted = FactorModel.allocate(root, model.shape(), model.rank());
    for (int k = 0; k < model.rank(); k++) {
      for (int user = 0; user < model.shape().users(); user++) {
        permuted.users().set(userPlace.applyAsInt(user), k, model.users().get(user, k));
      }
      for (int item = 0; item < model.shape().items(); item++) {
        permuted.items().set(itemPlace.applyAsInt(item), k, model.items().get(item, k));
      }
    }
    return permuted;
  }

  // Ranking

  /** Lists are those of the highest scores, without exclusions, of candidates alone. */
  @Test
  public void ranksByDefinition() {
    for (int[] size : SIZES) {
      try (Grid grid = grid(size)) {
        int users = grid.shape().users();
        List<RankingRequest> requests =
            List.of(
                request(grid.prediction(), 0, users, 5, List.of(), Optional.empty()),
                request(CellField.score(grid.first()), 0, users, 1, List.of(), Optional.empty()),
                request(
                    grid.prediction(),
                    users / 2,
                    users - users / 2,
                    7,
                    List.of(grid.positives(), grid.others()),
                    Optional.empty()),
                request(
                    grid.prediction(),
                    0,
                    users,
                    20,
                    List.of(grid.positives()),
                    Optional.of(new PartMask(Grid.MASK.partition(), 1))));
        in(
            grid.shape(),
            Setting.DENSE,
            session -> {
              for (RankingRequest request : requests) {
                assertRanked(grid.shape(), session, request);
              }
              return null;
            });
      }
    }
  }

  /** A list is as long as there are items to rank. */
  @Test
  public void listsAllItemsWhereTheDepthExceedsThem() {
    try (Grid grid = Grid.of(root, 9, 14, 14)) {
      in(
          grid.shape(),
          Setting.DENSE,
          session -> {
            assertRanked(
                grid.shape(),
                session,
                request(grid.prediction(), 0, 9, 40, List.of(), Optional.empty()));
            assertRanked(
                grid.shape(),
                session,
                request(grid.prediction(), 2, 5, 14, List.of(grid.positives()), Optional.empty()));
            return null;
          });
    }
  }

  private static RankingRequest request(
      CellField scores,
      int firstUser,
      int users,
      int depth,
      List<SparseCells> excluded,
      Optional<PartMask> candidates) {
    return new RankingRequest(scores, firstUser, users, depth, excluded, candidates);
  }

  /** Compare with the reference, letting scores that differ by rounding change places. */
  private void assertRanked(GridShape shape, ComputeSession session, RankingRequest request) {
    try (ComputeSession reference = new ReferenceComputeSession(shape, root);
        RankedItems expected = reference.rank(request);
        RankedItems actual = session.rank(request)) {
      assertEquals(request.users(), actual.users());
      for (int row = 0; row < request.users(); row++) {
        int user = request.firstUser() + row;
        String list = "list of user " + user + " at depth " + request.depth();
        assertEquals(expected.count(row), actual.count(row), list + ": length");
        Set<Integer> seen = new HashSet<>();
        for (int place = 0; place < expected.count(row); place++) {
          int item = actual.item(row, place);
          float score = actual.score(row, place);
          String entry = list + ", place " + place;
          assertTrue(item >= 0 && item < shape.items(), entry + ": no item " + item);
          assertTrue(seen.add(item), entry + ": item " + item + " again");
          for (SparseCells cells : request.excluded()) {
            assertFalse(cells.contains(user, item), entry + ": excluded item " + item);
          }
          request
              .candidates()
              .ifPresent(
                  mask -> assertEquals(1, mask.valueAt(user, item), entry + ": no candidate"));
          double allowed = valueTolerance() * Math.max(1, Math.abs(score));
          assertEquals(expected.score(row, place), score, allowed, entry + ": score");
          assertEquals(
              request.scores().valueAt(user, item), score, allowed, entry + ": score of " + item);
          if (place > 0) {
            float above = actual.score(row, place - 1);
            assertTrue(
                above > score || above == score && actual.item(row, place - 1) < item,
                entry + ": out of order");
          }
        }
      }
    }
  }

  /** Of equal scores, the lower item comes first. */
  @Test
  public void ordersEqualScoresByItem() {
    GridShape shape = new GridShape(8, 130);
    try (FactorModel model = FactorModel.allocate(root, shape, 2);
        SparseCells excluded = TestGrids.randomCells(root, shape, 0.2, 15);
        ComputeSession reference = new ReferenceComputeSession(shape, root)) {
      for (int user = 0; user < shape.users(); user++) {
        model.users().set(user, 0, user - 3);
        model.users().set(user, 1, 1);
      }
      for (int item = 0; item < shape.items(); item++) {
        model.items().set(item, 0, item * 37 % 3);
        model.items().set(item, 1, item * 11 % 2);
      }
      in(
          shape,
          Setting.DENSE,
          session -> {
            for (int depth : new int[] {1, 10, 65, 130}) {
              try (RankedItems expected =
                      rank(reference, CellField.score(model), 0, 8, depth, List.of(excluded));
                  RankedItems actual =
                      rank(session, CellField.score(model), 0, 8, depth, List.of(excluded))) {
                assertEquals(lists(expected), lists(actual), "depth " + depth);
              }
            }
            return null;
          });
    }
  }

  // Tiles

  /** Every kernel agrees with its definition where the work is cut into tiles. */
  @Test
  public void agreesWithTheDefinitionAcrossTiles() {
    GridShape shape = tiledShape();
    try (Grid grid = Grid.of(root, shape.users(), shape.items(), 22)) {
      NamedField weights =
          new NamedField("weights", CellField.product(grid.confidence(), grid.posterior()));
      NamedField error = new NamedField("error", grid.error());
      in(
          shape,
          Setting.DENSE,
          session -> {
            double[] sums = session.fields().sums(List.of(weights.field(), error.field()));
            assertSum(weights, shape, sums[0]);
            assertSum(error, shape, sums[1]);
            assertFilled(session, error, new int[] {1, 2, shape.users() - 1, shape.items() - 2});
            assertGathered(session, weights, grid.positives());
            assertRanked(
                shape,
                session,
                request(
                    grid.prediction(),
                    1,
                    shape.users() - 1,
                    10,
                    List.of(grid.positives()),
                    Optional.empty()));
            return null;
          });
      NamedProblem problem = new NamedProblem("several tiles", grid.reweightedResiduals(4));
      assertSolved(grid, problem, Setting.DENSE);
      assertNearlySolved(grid, problem, Setting.DENSE.with(ComputationPath.CORRECTED, 1e-3));
    }
  }

  /** Announcing what is going to be asked for often changes no answer, whatever follows it. */
  @Test
  public void answersAlikeWhateverItKeeps() {
    GridShape shape = tiledShape();
    try (Grid grid = Grid.of(root, shape.users(), shape.items(), 23);
        FactorModel third = TestGrids.randomModel(root, shape, 4, 24)) {
      CellField mixed = combination(grid, third, 0.7f, 0.3f, 0);
      CellField longer = combination(grid, third, 0.7f * 0.6f, 0.3f * 0.6f, 0.4f);
      CellField added = combination(grid, third, 0.7f * 0.6f, 0.3f * 0.6f, 0.9f);
      CellField other = combination(grid, third, 0.2f, -0.5f, 0.4f);
      in(
          shape,
          Setting.DENSE,
          session -> {
            for (CellField kept :
                List.of(CellField.score(grid.first()), mixed, longer, other, mixed, added)) {
              session.keep(kept);
              for (CellField asked : List.of(kept, longer, other)) {
                assertAnswers(grid, session, asked);
              }
            }
            return null;
          });
    }
  }

  /** Return a combination of a grid's models and another. */
  private static CellField combination(
      Grid grid, FactorModel third, float ofFirst, float ofSecond, float ofThird) {
    List<Linear.Term> terms = new ArrayList<>();
    terms.add(new Linear.Term(ofFirst, CellField.score(grid.first())));
    terms.add(new Linear.Term(ofSecond, CellField.score(grid.second())));
    if (ofThird != 0) {
      terms.add(new Linear.Term(ofThird, CellField.score(third)));
    }
    return new Linear(terms);
  }

  private void assertAnswers(Grid grid, ComputeSession session, CellField scores) {
    GridShape shape = grid.shape();
    NamedField error =
        new NamedField(
            "error", CellField.difference(CellField.observed(grid.positives(), 1, 0), scores));
    NamedField squares =
        new NamedField(
            "squares", CellField.product(grid.confidence(), CellField.square(error.field())));
    assertFilled(session, error, new int[] {1, 2, shape.users() - 1, shape.items() - 2});
    assertGathered(session, error, grid.positives());
    assertSum(squares, shape, session.fields().sums(List.of(squares.field()))[0]);
    assertRanked(
        shape,
        session,
        request(scores, 1, shape.users() - 1, 10, List.of(grid.positives()), Optional.empty()));
    LeastSquaresRequest problem =
        new LeastSquaresRequest(
            grid.confidence(), error.field(), 4, grid.reweightedResiduals(4).ridge());
    try (FactorModel expected = start(grid, 4);
        FactorModel actual = start(grid, 4)) {
      reference(grid, problem).solve(Side.USERS, expected);
      solve(session, problem, Side.USERS, actual);
      assertRowsEqual(expected.users(), actual.users(), "residuals of what is kept");
    }
  }

  // Matrices

  /** A product of matrices agrees with its definition. */
  @Test
  public void multipliesByDefinition() {
    for (int[] orders : new int[][] {{1, 1, 1}, {7, 3, 5}, {600, 2, 9}}) {
      GridShape shape = new GridShape(orders[0], orders[2]);
      try (FactorModel factors = TestGrids.randomModel(root, shape, orders[1], 3);
          FloatMatrix right = FloatMatrix.allocate(root, orders[1], orders[2]);
          FloatMatrix product = FloatMatrix.allocate(root, orders[0], orders[2])) {
        for (int k = 0; k < orders[1]; k++) {
          for (int item = 0; item < orders[2]; item++) {
            right.set(k, item, factors.items().get(item, k));
          }
        }
        in(
            shape,
            Setting.DENSE,
            session -> {
              session.matrices().multiply(factors.users(), right, product);
              return null;
            });
        for (int user = 0; user < orders[0]; user++) {
          for (int item = 0; item < orders[2]; item++) {
            assertEquals(factors.scoreAt(user, item), product.get(user, item), 1e-4);
          }
        }
      }
    }
  }

  @Test
  public void invertsToTheIdentity() {
    for (int order : new int[] {1, 7, 65, 130}) {
      double[][] original = positiveDefinite(order);
      double[][] inverse = new double[order][order];
      try (FloatMatrix matrix = matrix(original)) {
        // Only the upper triangle is read.
        for (int row = 1; row < order; row++) {
          matrix.set(row, row - 1, Float.NaN);
        }
        inMatrices(Setting.DENSE, matrix);
        for (int row = 0; row < order; row++) {
          for (int column = 0; column < order; column++) {
            inverse[row][column] = matrix.get(row, column);
            assertEquals(matrix.get(column, row), matrix.get(row, column), "symmetry");
          }
        }
      }
      for (int row = 0; row < order; row++) {
        for (int column = 0; column < order; column++) {
          double product = 0;
          for (int k = 0; k < order; k++) {
            product += original[row][k] * inverse[k][column];
          }
          String what = "order " + order + ": element " + row + ", " + column + " of the product";
          assertEquals(row == column ? 1 : 0, product, solutionTolerance(), what);
        }
      }
    }
  }

  @Test
  public void refusesToInvertWhatIsNotPositiveDefinite() {
    for (int order : new int[] {1, 2, 7, 65}) {
      for (float last : new float[] {0, -1, Float.NaN}) {
        double[][] wrong = new double[order][order];
        for (int k = 0; k < order; k++) {
          wrong[k][k] = k == order - 1 ? last : 1;
        }
        try (FloatMatrix matrix = matrix(wrong)) {
          inMatrices(Setting.DENSE, matrix);
          fail("inverted a matrix of order " + order + " with " + last + " in its diagonal");
        } catch (PecfException e) {
          assertEquals(ErrorCode.BAD_OPTION, e.code(), e.getMessage());
        }
      }
    }
    try (FloatMatrix matrix = FloatMatrix.allocate(root, 2, 3)) {
      inMatrices(Setting.DENSE, matrix);
      fail("inverted a matrix of 2 x 3");
    } catch (IllegalArgumentException e) {
      assertTrue(e.getMessage().contains("2 x 3"), e.getMessage());
    }
  }

  private void inMatrices(Setting setting, FloatMatrix matrix) {
    in(
        new GridShape(3, 2),
        setting,
        session -> {
          session.matrices().invert(matrix);
          return null;
        });
  }

  /** Return half the identity plus the mean of outer products of normal vectors. */
  private static double[][] positiveDefinite(int order) {
    double[][] sum = new double[order][order];
    float[] vector = new float[order];
    for (int k = 0; k < 2 * order; k++) {
      new Seed(order).child("vector", k).fillNormal(vector, 1);
      for (int row = 0; row < order; row++) {
        for (int column = 0; column < order; column++) {
          sum[row][column] += (double) vector[row] * vector[column] / (2 * order);
        }
      }
    }
    for (int row = 0; row < order; row++) {
      sum[row][row] += 0.5;
      for (int column = 0; column < order; column++) {
        sum[row][column] = (float) sum[row][column];
      }
    }
    return sum;
  }

  private FloatMatrix matrix(double[][] values) {
    FloatMatrix matrix = FloatMatrix.allocate(root, values.length, values.length);
    for (int row = 0; row < values.length; row++) {
      for (int column = 0; column < values.length; column++) {
        matrix.set(row, column, (float) values[row][column]);
      }
    }
    return matrix;
  }

  // Pairwise training

  @Test
  public void stepsDownThePairwiseGradient() {
    pairwise().stepsDownTheGradient();
  }

  @Test
  public void drawsPositivesByTheirWeights() {
    pairwise().drawsPositivesByTheirWeights();
  }

  @Test
  public void drawsNegativesByPopularity() {
    pairwise().drawsNegativesByPopularity();
  }

  @Test
  public void drawsNegativesFromAllAllowedCellsAndNoOthers() {
    pairwise().drawsNegativesFromAllAllowedCellsAndNoOthers();
  }

  @Test
  public void learnsToRankPlantedGroups() {
    pairwise().learnsToRankPlantedGroups();
  }

  @Test
  public void trainsPairwiseOnDegenerateGrids() {
    pairwise().survivesDegenerateGrids();
  }

  @Test
  public void pairwiseEpochsDependOnTheirNumberAndTheRequestAlone() {
    pairwise().epochsDependOnTheirNumberAndTheRequestAlone();
  }

  private PairwiseChecks pairwise() {
    return new PairwiseChecks(
        root,
        (shape, setting, use) ->
            in(
                shape,
                setting,
                session -> {
                  use.accept(session);
                  return null;
                }));
  }

  // What a run lends

  /** Threads and the order of tasks change no bit of any result. */
  @Test
  public void givesTheSameBitsAtAnyThreadCountAndTaskOrder() {
    Map<String, Parallelism> ways = new LinkedHashMap<>();
    ways.put("a second time", new DirectParallelism());
    ways.put("two threads", new ThreadedParallelism(2));
    ways.put("three threads", new ThreadedParallelism(3));
    ways.put("tasks shuffled", new DirectParallelism().withThreads(3).shuffled(1));
    try (Grid grid = Grid.of(root, tiledShape().users(), tiledShape().items(), 16)) {
      for (ComputationPath path : List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
        Setting setting = Setting.DENSE.with(path, 0.1);
        List<Object> once = everything(grid, setting);
        ways.forEach(
            (name, parallelism) ->
                assertEquals(
                    once, everything(grid, setting.with(parallelism)), path + " path: " + name));
      }
    }
  }

  /** Run every kernel once and return all bits of the results. */
  private List<Object> everything(Grid grid, Setting setting) {
    List<Object> bits = new ArrayList<>();
    int users = grid.shape().users();
    try (FactorModel model = start(grid, 6);
        FloatMatrix inverted = matrix(positiveDefinite(130));
        ArrowBuf gathered = root.buffer((long) grid.positives().count() * Float.BYTES);
        FloatMatrix tile = FloatMatrix.allocate(root, users, grid.shape().items() / 2)) {
      in(
          grid.shape(),
          setting,
          session -> {
            for (double sum :
                session
                    .fields()
                    .sums(
                        List.of(grid.error(), CellField.square(grid.error()), grid.posterior()))) {
              bits.add(sum);
            }
            session.fields().gather(grid.posterior(), grid.positives(), gathered);
            for (int k = 0; k < grid.positives().count(); k++) {
              bits.add(gathered.getFloat((long) k * Float.BYTES));
            }
            session.fields().fill(grid.error(), 0, 3, tile);
            try (LeastSquares problem = session.leastSquares(grid.reweightedResiduals(6))) {
              bits.add(problem.solve(Side.USERS, model));
              bits.add(problem.solve(Side.ITEMS, model));
            }
            try (PairwiseSgd training =
                session.pairwise(
                    PairwiseChecks.plain(grid.positives(), PairwiseMode.DETERMINISTIC))) {
              bits.add(training.epoch(model, 0, 0.1));
              bits.add(training.epoch(model, 1, 0.1));
            }
            try (RankedItems lists =
                rank(session, grid.prediction(), 0, users, 9, List.of(grid.positives()))) {
              bits.addAll(lists(lists));
            }
            session.matrices().invert(inverted);
            return null;
          });
      for (float value : Buffers.values(inverted)) {
        bits.add(value);
      }
      for (float value : Buffers.values(tile)) {
        bits.add(value);
      }
      for (float value : Buffers.values(model)) {
        bits.add(value);
      }
    }
    return bits;
  }

  /** Every kernel looks whether to stop, stops soon, and gives back its memory. */
  @Test
  public void endsWithCancelledWhenAskedToStop() {
    try (Grid grid = Grid.of(root, 50, 30, 17)) {
      operations(grid)
          .forEach(
              (name, operation) -> {
                for (ComputationPath path :
                    List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
                  for (int polls : new int[] {0, 1, 2, 3, 5, 8}) {
                    assertCancelled(grid, name, operation, path, polls);
                  }
                }
              });
    }
  }

  private void assertCancelled(
      Grid grid, String name, Consumer<ComputeSession> operation, ComputationPath path, int polls) {
    CountdownCancellation token = new CountdownCancellation(polls);
    Setting setting = Setting.DENSE.with(path, 0.1).cancelledBy(token);
    String what = name + " on the " + path + " path, cancelled after " + polls + " polls";
    try {
      in(
          grid.shape(),
          setting,
          session -> {
            operation.accept(session);
            return null;
          });
      assertTrue(polls > 0, what + ": never asks");
      assertFalse(token.answered(), what + ": goes on");
    } catch (PecfException e) {
      assertEquals(ErrorCode.CANCELLED, e.code(), what + ": " + e.getMessage());
      int later = token.polls() - polls;
      assertTrue(later <= 20, what + ": asked " + later + " times before it ended");
    }
  }

  private Map<String, Consumer<ComputeSession>> operations(Grid grid) {
    Map<String, Consumer<ComputeSession>> operations = new LinkedHashMap<>();
    operations.put(
        "sums", session -> session.fields().sums(List.of(grid.error(), grid.posterior())));
    operations.put(
        "gather",
        session -> {
          try (ArrowBuf values = root.buffer((long) grid.positives().count() * Float.BYTES)) {
            session.fields().gather(grid.error(), grid.positives(), values);
          }
        });
    operations.put(
        "least squares",
        session -> {
          try (FactorModel model = start(grid, 5);
              LeastSquares problem = session.leastSquares(grid.reweightedResiduals(5))) {
            problem.solve(Side.USERS, model);
            problem.solve(Side.ITEMS, model);
          }
        });
    for (PairwiseMode mode : PairwiseMode.values()) {
      operations.put(
          mode + " pairwise training",
          session -> {
            try (FactorModel model = start(grid, 5);
                PairwiseSgd training =
                    session.pairwise(PairwiseChecks.plain(grid.positives(), mode))) {
              training.epoch(model, 0, 0.1);
            }
          });
    }
    operations.put(
        "rank",
        session ->
            rank(session, grid.prediction(), 0, grid.shape().users(), 10, List.of(grid.positives()))
                .close());
    operations.put(
        "invert",
        session -> {
          try (FloatMatrix matrix = matrix(positiveDefinite(10))) {
            session.matrices().invert(matrix);
          }
        });
    return operations;
  }

  /** What a host field throws comes out, as it is or as a cause, and memory is given back. */
  @Test
  public void passesOnTheFailuresOfHostFields() {
    try (Grid grid = Grid.of(root, 50, 45, 18)) {
      for (int calls : new int[] {0, 100, 2000}) {
        assertPassedOn(calls, grid, field -> session -> session.fields().sums(List.of(field)));
        assertPassedOn(
            calls,
            grid,
            field ->
                session -> {
                  try (FloatMatrix tile = FloatMatrix.allocate(root, 50, 45)) {
                    session.fields().fill(field, 0, 0, tile);
                  }
                });
        assertPassedOn(
            calls,
            grid,
            field ->
                session -> {
                  try (FactorModel model = start(grid, 3);
                      LeastSquares problem =
                          session.leastSquares(
                              new LeastSquaresRequest(
                                  field, grid.ratings(), 3, new Ridge(1, 1, 0)))) {
                    problem.solve(Side.USERS, model);
                  }
                });
      }
    }
  }

  /** Fail after a number of cells. */
  private record Failing(AtomicInteger left, RuntimeException failure) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      if (left.getAndDecrement() <= 0) {
        throw failure;
      }
      return 1;
    }
  }

  private void assertPassedOn(
      int calls, Grid grid, Function<CellField, Consumer<ComputeSession>> operation) {
    for (Parallelism parallelism : List.of(new DirectParallelism(), new ThreadedParallelism(2))) {
      RuntimeException failure = new UnsupportedOperationException("failing on purpose");
      CellField field = new Failing(new AtomicInteger(calls), failure);
      try {
        in(
            grid.shape(),
            Setting.DENSE.with(parallelism),
            session -> {
              operation.apply(field).accept(session);
              return null;
            });
        fail("a host field's failure after " + calls + " cells is lost");
      } catch (RuntimeException e) {
        Throwable cause = e;
        while (cause != failure && cause.getCause() != null) {
          cause = cause.getCause();
        }
        assertEquals(failure, cause, "the failure that came out");
      }
    }
  }

  /** Too small a budget is refused with the figure, and memory is given back. */
  @Test
  public void refusesWhatDoesNotFitWithAFigure() {
    try (Grid grid = Grid.of(root, 50, 30, 19)) {
      operations(grid)
          .forEach(
              (name, operation) -> {
                boolean refused = false;
                for (long limit = 512; limit <= 1 << 20; limit *= 4) {
                  for (ComputationPath path :
                      List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
                    refused |= refuses(grid, name, operation, path, limit);
                  }
                }
                assertTrue(refused || !name.equals("rank"), "lists are not in the run's memory");
              });
    }
  }

  private boolean refuses(
      Grid grid,
      String name,
      Consumer<ComputeSession> operation,
      ComputationPath path,
      long limit) {
    try {
      in(
          grid.shape(),
          Setting.DENSE.with(path, 0.1).limitedTo(limit),
          session -> {
            operation.accept(session);
            return null;
          });
      return false;
    } catch (RuntimeException e) {
      String what = name + " within " + limit + " bytes";
      if (e instanceof PecfException refusal) {
        assertEquals(ErrorCode.RESOURCES, refusal.code(), what);
        assertTrue(
            refusal.getMessage().matches("(?s).*\\d.*"),
            what + ": no figure in '" + refusal.getMessage() + "'");
        return true;
      }
      throw new AssertionError(what + " ends with " + e, e);
    }
  }

  // Ways to do it

  private Grid grid(int[] size) {
    return Grid.of(root, size[0], size[1], 1000L * size[0] + size[1]);
  }

  private FactorModel start(Grid grid, int rank) {
    return TestGrids.randomModel(root, grid.shape(), rank, 4711);
  }

  private static ReferenceLeastSquares reference(Grid grid, LeastSquaresRequest request) {
    return new ReferenceLeastSquares(request, grid.shape(), () -> false);
  }

  private static double solve(
      ComputeSession session, LeastSquaresRequest request, Side side, FactorModel model) {
    try (LeastSquares problem = session.leastSquares(request)) {
      return problem.solve(side, model);
    }
  }

  private static RankedItems rank(
      ComputeSession session,
      CellField scores,
      int firstUser,
      int users,
      int depth,
      List<SparseCells> excluded) {
    return session.rank(request(scores, firstUser, users, depth, excluded, Optional.empty()));
  }

  private static List<Object> lists(RankedItems ranked) {
    List<Object> lists = new ArrayList<>();
    for (int row = 0; row < ranked.users(); row++) {
      lists.add(ranked.count(row));
      for (int place = 0; place < ranked.count(row); place++) {
        lists.add(ranked.item(row, place));
        lists.add(ranked.score(row, place));
      }
    }
    return lists;
  }

  /** Use a session of its own memory, all of which must be back when it is closed. */
  private <R> R in(GridShape shape, Setting setting, Function<ComputeSession, R> use) {
    return in(provider(), shape, setting, use);
  }

  private <O extends Record, R> R in(
      ComputeBackendProvider<O> provider,
      GridShape shape,
      Setting setting,
      Function<ComputeSession, R> use) {
    Availability availability = provider.probe();
    Assumptions.assumeTrue(availability.available(), availability.explanation());
    O options = provider.options().bind(provider.describe().id(), optionTexts());
    RuntimeException problem = null;
    R result = null;
    BufferAllocator allocator = root.newChildAllocator("session", 0, setting.limit());
    SessionContext context =
        new SessionContext(
            new RunContext(
                allocator, setting.parallelism(), setting.cancellation(), setting.listener()),
            shape,
            setting.path(),
            setting.weightError());
    try (ComputeSession session = provider.open(options, context)) {
      result = use.apply(session);
    } catch (RuntimeException e) {
      problem = e;
    }
    long kept = allocator.getAllocatedMemory();
    if (kept > 0) {
      throw new AssertionError(
          "the closed session keeps "
              + kept
              + " bytes"
              + (problem == null ? "" : " after " + problem),
          problem);
    }
    allocator.close();
    if (problem != null) {
      throw problem;
    }
    return result;
  }
}
