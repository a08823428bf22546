package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.function.Executable;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Product;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.contract.Grid.NamedProblem;
import org.pecf.testkit.fixture.Buffers;
import org.pecf.testkit.fixture.DegenerateGrid;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceLeastSquares;

/** The rules for the solutions of least-squares problems, and for the objective they lower. */
final class SolutionRules {
  private final BackendSessions sessions;
  private final BufferAllocator allocator;

  SolutionRules(BackendSessions sessions) {
    this.sessions = sessions;
    this.allocator = sessions.allocator();
  }

  void solvesEveryProblemOnTheDensePath() {
    try (Grid grid = Grid.of(allocator, 37, 29, 1)) {
      assertAll(
          grid.problems(7).stream()
              .map(problem -> () -> assertSolved(grid, problem, SessionSetup.DENSE)));
    }
  }

  void solvesEveryProblemExactlyOnTheCorrectedPathWithoutWeightError() {
    try (Grid grid = Grid.of(allocator, 29, 37, 2)) {
      assertAll(
          grid.problems(7).stream()
              .map(problem -> () -> assertSolved(grid, problem, SessionSetup.CORRECTED)));
    }
  }

  void solvesEveryProblemOnTheCorrectedPathWithASmallWeightError() {
    double error = 1e-3;
    SessionSetup setup = SessionSetup.DENSE.with(ComputationPath.CORRECTED, error);
    try (Grid grid = Grid.of(allocator, 33, 31, 21)) {
      List<Executable> checks = new ArrayList<>();
      for (NamedProblem named : grid.problems(7)) {
        if (!masked(named.request().weights())) {
          checks.add(() -> assertNearlySolved(grid, named, setup));
        }
      }
      assertAll(checks);
    }
  }

  /** Held-out cells may count by expectation here. */
  private static boolean masked(CellField weights) {
    return weights instanceof Product product && product.factors().contains(Grid.MASK);
  }

  void assertNearlySolved(Grid grid, NamedProblem named, SessionSetup setup) {
    LeastSquaresRequest request = named.request();
    ReferenceLeastSquares reference = reference(grid, request);
    for (Side side : Side.values()) {
      try (FactorModel expected = sessions.start(grid, request.rank());
          FactorModel actual = sessions.start(grid, request.rank())) {
        reference.solve(side, expected);
        double[] objective = {0};
        LeastSquaresPlan plan;
        try {
          plan =
              sessions.in(
                  grid.shape(),
                  setup,
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
        double tolerance = sessions.solutionTolerance() + 10 * plan.weightError();
        assertRowsEqual(expected.side(side), actual.side(side), tolerance, what);
        double byDefinition = reference.objective(actual);
        assertEquals(byDefinition, objective[0], tolerance * byDefinition, what + ": objective");
      }
    }
  }

  void solvesAnySizeAndRank() {
    int[][] sizesAndRanks = {
      {1, 1, 1},
      {2, 1, 7},
      {1, 65, 7},
      {7, 2, 50},
      {130, 33, 1},
      {33, 65, 50},
      {9, 20, 109},
      {5, 6, 257}
    };
    List<Executable> checks = new ArrayList<>();
    for (int[] size : sizesAndRanks) {
      for (SessionSetup setup : List.of(SessionSetup.DENSE, SessionSetup.CORRECTED)) {
        checks.add(
            () -> {
              try (Grid grid = Grid.of(allocator, size[0], size[1], 3)) {
                LeastSquaresRequest request = grid.reweighted(size[2]);
                String name = size[0] + " x " + size[1] + " of rank " + size[2];
                assertSolved(grid, new NamedProblem(name, request), setup);
              }
            });
      }
    }
    assertAll(checks);
  }

  /**
   * Solve problems at the ends of single precision: the rows are finite, or the problem is refused
   * in words.
   */
  void neverReturnsWhatIsNotANumber() {
    float[] scales = {1e-38f, 1e-20f, 1e-6f, 1, 1e6f, 1e20f, 3e38f};
    double[] penalties = {1e-300, 1e-30, 1e-3, 1e10, 1e300};
    List<Executable> checks = new ArrayList<>();
    for (float weight : scales) {
      for (float target : scales) {
        for (double penalty : penalties) {
          for (SessionSetup setup : List.of(SessionSetup.DENSE, SessionSetup.CORRECTED)) {
            checks.add(() -> assertFiniteOrRefused(weight, target, penalty, setup));
          }
        }
      }
    }
    assertAll(checks);
  }

  private void assertFiniteOrRefused(
      float weight, float target, double penalty, SessionSetup setup) {
    try (Grid grid = Grid.of(allocator, 7, 6, 5);
        FactorModel factors = sessions.start(grid, 3)) {
      LeastSquaresRequest usual = grid.reweighted(3);
      LeastSquaresRequest request =
          new LeastSquaresRequest(
              CellField.product(CellField.constant(weight), usual.weights()),
              CellField.product(CellField.constant(target), usual.targets()),
              3,
              new Ridge(penalty, penalty, 0));
      String what = "weights x " + weight + ", targets x " + target + ", lambda " + penalty;
      try {
        for (Side side : Side.values()) {
          sessions.in(grid.shape(), setup, session -> solve(session, request, side, factors));
          FloatMatrix rows = factors.side(side);
          for (int k = 0; k < rows.rows() * rows.columns(); k++) {
            float value = rows.get(k / rows.columns(), k % rows.columns());
            assertTrue(Float.isFinite(value), what + ", " + setup.path() + ": " + value);
          }
        }
      } catch (PecfException e) {
        assertEquals(ErrorCode.BAD_OPTION, e.code(), what + ": " + e.getMessage());
      }
    }
  }

  /** Solve both sides from a random start, each compared with the reference's solution. */
  void assertSolved(Grid grid, NamedProblem named, SessionSetup setup) {
    LeastSquaresRequest request = named.request();
    ReferenceLeastSquares reference = reference(grid, request);
    for (Side side : Side.values()) {
      String what = named.name() + ", " + setup.path() + " path, " + side;
      try (FactorModel expected = sessions.start(grid, request.rank());
          FactorModel actual = sessions.start(grid, request.rank())) {
        reference.solve(side, expected);
        sessions.in(grid.shape(), setup, session -> solve(session, request, side, actual));
        assertRowsEqual(expected.side(side), actual.side(side), what);
      }
    }
  }

  void assertRowsEqual(FloatMatrix expected, FloatMatrix actual, String what) {
    assertRowsEqual(expected, actual, sessions.solutionTolerance(), what);
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

  void scalesPenaltiesByRowWeight() {
    try (Grid grid = Grid.of(allocator, 17, 13, 4);
        SparseCells some =
            TestGrids.cellsWhere(
                allocator, grid.shape(), (u, i) -> u != 5 && i != 6 && u * i % 3 == 1)) {
      CellField weights = CellField.observed(some, 1, 0);
      for (double exponent : new double[] {0.5, 1}) {
        for (SessionSetup setup : List.of(SessionSetup.DENSE, SessionSetup.CORRECTED)) {
          assertSolved(
              grid,
              new NamedProblem(
                  "rows without weight, exponent " + exponent,
                  new LeastSquaresRequest(
                      weights, CellField.constant(1), 4, new Ridge(0.4, 0.8, exponent))),
              setup);
          assertUnitPenalties(grid, weights, exponent, setup);
        }
      }
    }
  }

  /** New rows are solved later with the penalty that a problem states. */
  private void assertUnitPenalties(
      Grid grid, CellField weights, double exponent, SessionSetup setup) {
    LeastSquaresRequest request =
        new LeastSquaresRequest(weights, CellField.constant(1), 4, new Ridge(0.4, 0.8, exponent));
    ReferenceLeastSquares reference = reference(grid, request);
    sessions.in(
        grid.shape(),
        setup,
        session -> {
          try (LeastSquares problem = session.leastSquares(request)) {
            for (Side side : Side.values()) {
              double expected = reference.unitPenalty(side);
              assertEquals(
                  expected,
                  problem.unitPenalty(side),
                  1e-4 * expected,
                  "the penalty of a row of weight 1, exponent " + exponent + ", " + side);
            }
          }
          return null;
        });
  }

  void solvesDegenerateGrids() {
    for (DegenerateGrid degenerate : DegenerateGrid.values()) {
      try (SparseCells positives = degenerate.positives(allocator)) {
        LeastSquaresRequest request =
            new LeastSquaresRequest(
                CellField.observed(positives, 1, 0.01f),
                CellField.observed(positives, 1, 0),
                3,
                new Ridge(0.1, 0.1, 0));
        for (SessionSetup setup : List.of(SessionSetup.DENSE, SessionSetup.CORRECTED)) {
          try (Grid grid =
              Grid.of(allocator, degenerate.shape().users(), degenerate.shape().items(), 5)) {
            assertSolved(grid, new NamedProblem(degenerate.name(), request), setup);
          }
        }
      }
    }
  }

  void returnsTheObjectiveByDefinition() {
    try (Grid grid = Grid.of(allocator, 23, 31, 6)) {
      List<Executable> checks = new ArrayList<>();
      for (NamedProblem named : grid.problems(6)) {
        for (SessionSetup setup : List.of(SessionSetup.DENSE, SessionSetup.CORRECTED)) {
          for (Side side : Side.values()) {
            checks.add(
                () -> {
                  try (FactorModel model = sessions.start(grid, 6)) {
                    double objective =
                        sessions.in(
                            grid.shape(),
                            setup,
                            session -> solve(session, named.request(), side, model));
                    double expected = reference(grid, named.request()).objective(model);
                    assertEquals(
                        expected,
                        objective,
                        sessions.solutionTolerance() * expected,
                        () -> named.name() + ", " + setup.path() + " path, after " + side);
                  }
                });
          }
        }
      }
      assertAll(checks);
    }
  }

  void neverIncreasesTheObjective() {
    SessionSetup corrected = SessionSetup.DENSE.with(ComputationPath.CORRECTED, 0.05);
    try (Grid grid = Grid.of(allocator, 40, 30, 7)) {
      for (SessionSetup setup : List.of(SessionSetup.DENSE, corrected)) {
        try (FactorModel model = sessions.start(grid, 5)) {
          sessions.use(
              grid.shape(),
              setup,
              session -> {
                assertNeverIncreases(session, grid.reweighted(5), model);
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
            objective <= last * (1 + sessions.sumTolerance()),
            "half-sweep " + half + " went from " + last + " to " + objective);
        last = objective;
      }
      assertTrue(last < first, "eight half-sweeps changed nothing");
    }
  }

  void leavesNoGradientInSolvedRows() {
    try (Grid grid = Grid.of(allocator, 26, 34, 8)) {
      for (NamedProblem named : grid.problems(6)) {
        ReferenceLeastSquares reference = reference(grid, named.request());
        for (Side side : Side.values()) {
          try (FactorModel model = sessions.start(grid, 6)) {
            sessions.in(
                grid.shape(), SessionSetup.DENSE, s -> solve(s, named.request(), side, model));
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
      assertEquals(0, size, sessions.solutionTolerance() * scale, what);
    }
  }

  void permutingUsersAndItemsPermutesTheSolution() {
    int users = 19;
    int items = 27;
    IntUnaryOperator userPlace = user -> (user * 7 + 3) % users;
    IntUnaryOperator itemPlace = item -> (item * 5 + 11) % items;
    try (Grid grid = Grid.of(allocator, users, items, 13);
        Grid permuted = permuted(grid, userPlace, itemPlace);
        FactorModel model = sessions.start(grid, 5);
        FactorModel other = permuted(model, userPlace, itemPlace)) {
      for (SessionSetup setup : List.of(SessionSetup.DENSE, SessionSetup.CORRECTED)) {
        sessions.use(
            grid.shape(),
            setup,
            session -> {
              for (Side side : Side.values()) {
                solve(session, grid.reweightedResiduals(5), side, model);
                solve(session, permuted.reweightedResiduals(5), side, other);
              }
            });
        try (FactorModel expected = permuted(model, userPlace, itemPlace)) {
          assertRowsEqual(expected.users(), other.users(), setup.path() + " path, users");
          assertRowsEqual(expected.items(), other.items(), setup.path() + " path, items");
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
        allocator,
        new GridShape(cells.users(), cells.items()),
        (user, item) -> places.contains(List.of(user, item)));
  }

  private FactorModel permuted(
      FactorModel model, IntUnaryOperator userPlace, IntUnaryOperator itemPlace) {
    FactorModel permuted = FactorModel.allocate(allocator, model.shape(), model.rank());
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

  static ReferenceLeastSquares reference(Grid grid, LeastSquaresRequest request) {
    return new ReferenceLeastSquares(request, grid.shape(), () -> false);
  }

  void refusesFactorsThatItMustNotSolve() {
    try (Grid grid = Grid.of(allocator, 19, 27, 14);
        Grid smaller = Grid.of(allocator, 18, 26, 14);
        FactorModel model = sessions.start(grid, 5);
        FactorModel narrow = sessions.start(grid, 4);
        FactorModel small = sessions.start(smaller, 5)) {
      int before = Buffers.fingerprint(model);
      for (SessionSetup setup : List.of(SessionSetup.DENSE, SessionSetup.CORRECTED)) {
        for (Side side : Side.values()) {
          for (FactorModel wrong : List.of(model.lent(), narrow, small)) {
            sessions.use(
                grid.shape(),
                setup,
                session ->
                    assertThrows(
                        RuntimeException.class,
                        () -> solve(session, grid.reweighted(5), side, wrong)));
          }
        }
      }
      assertEquals(before, Buffers.fingerprint(model), "factors that are lent were changed");
    }
  }

  static double solve(
      ComputeSession session, LeastSquaresRequest request, Side side, FactorModel model) {
    try (LeastSquares problem = session.leastSquares(request)) {
      return problem.solve(side, model);
    }
  }
}
