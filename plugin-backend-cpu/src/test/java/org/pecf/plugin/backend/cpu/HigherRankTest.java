package org.pecf.plugin.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Separable;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.fixture.ThreadedParallelism;
import org.pecf.testkit.reference.ReferenceComputeSession;

/**
 * The corrected path at a rank and with numbers of exceptions where rows are solved in different
 * ways: users have more exceptions than factors, items fewer.
 */
class HigherRankTest {
  private static final GridShape SHAPE = new GridShape(150, 450);
  private static final int RANK = 50;

  /** So little that solutions stay the same; with none at all there would be no background. */
  private static final double WEIGHT_ERROR = 1e-7;

  private final RootAllocator root = new RootAllocator();
  private SparseCells positives;
  private SparseCells heldOut;
  private FactorModel ensemble;

  @BeforeEach
  void open() {
    positives = TestGrids.randomCells(root, SHAPE, 0.15, 1);
    heldOut = TestGrids.randomCells(root, SHAPE, 0.03, 2);
    ensemble = TestGrids.randomModel(root, SHAPE, 3, 3);
  }

  @AfterEach
  void close() {
    positives.close();
    heldOut.close();
    ensemble.close();
    root.close();
  }

  /** Name weights, targets and penalties, from those that need few steps to those that fail. */
  private enum Kind {
    PLAIN,
    HELD_OUT,
    POSTERIOR,
    RESIDUAL,
    CONSTANT_TARGETS,
    WEAK_PENALTY,
    PENALTY_BY_ROW,
    RESIDUAL_PENALTY_BY_ROW,
    HALF_PENALTY_BY_ROW,
    WEAK_PENALTY_BY_ROW,
    POPULARITY,
    POPULARITY_PENALTY_BY_ROW,
    LOCALITY,
    LOCALITY_PENALTY_BY_ROW
  }

  private LeastSquaresRequest request(Kind kind) {
    CellField ratings = CellField.observed(positives, 1, 0);
    CellField confidence = CellField.observed(positives, 1, 0.1f);
    CellField error = CellField.difference(ratings, CellField.score(ensemble));
    CellField reweighted =
        CellField.product(confidence, new Apply(new Posterior(10, 1, 11), List.of(error)));
    Ridge ridge = new Ridge(4, 6, 0);
    switch (kind) {
      case HELD_OUT:
        return request(
            CellField.product(confidence, CellField.observed(heldOut, 0, 1)), ratings, ridge);
      case POSTERIOR:
        return request(reweighted, ratings, ridge);
      case RESIDUAL:
        return request(reweighted, error, ridge);
      case CONSTANT_TARGETS:
        return request(confidence, CellField.constant(0.5f), ridge);
      case WEAK_PENALTY:
        return request(CellField.observed(positives, 1, 0.01f), ratings, new Ridge(0.05, 0.02, 0));
      case PENALTY_BY_ROW:
        return request(confidence, ratings, new Ridge(4, 6, 1));
      case RESIDUAL_PENALTY_BY_ROW:
        return request(reweighted, error, new Ridge(4, 6, 1));
      case HALF_PENALTY_BY_ROW:
        return request(reweighted, ratings, new Ridge(4, 6, 0.5));
      case WEAK_PENALTY_BY_ROW:
        return request(CellField.observed(positives, 1, 0.01f), ratings, new Ridge(0.05, 0.02, 1));
      case POPULARITY:
        return request(popularity(), ratings, ridge);
      case POPULARITY_PENALTY_BY_ROW:
        return request(
            CellField.product(popularity(), new Apply(new Posterior(10, 1, 11), List.of(error))),
            ratings,
            new Ridge(4, 6, 1));
      case LOCALITY:
        return request(CellField.product(confidence, locality()), ratings, ridge);
      case LOCALITY_PENALTY_BY_ROW:
        return request(
            CellField.product(
                popularity(), new Apply(new Posterior(10, 1, 11), List.of(error)), locality()),
            ratings,
            new Ridge(4, 6, 1));
      default:
        return request(confidence, ratings, ridge);
    }
  }

  /** Return weights under which zeros of popular items weigh more. */
  private CellField popularity() {
    CellField zeros =
        CellField.product(
            CellField.observed(positives, 0, 0.1f), ItemWeights.ofPopularity(positives, 0.7));
    return new Linear(
        List.of(
            new Linear.Term(1, CellField.observed(positives, 1, 0)), new Linear.Term(1, zeros)));
  }

  /** Return how much cells belong to a part of the grid; a third of the rows are outside it. */
  private static Separable locality() {
    float[] users = new float[SHAPE.users()];
    float[] items = new float[SHAPE.items()];
    for (int user = 0; user < users.length; user++) {
      users[user] = user % 3 == 0 ? 0 : 0.01f + 0.3f * (user % 7);
    }
    for (int item = 0; item < items.length; item++) {
      items[item] = item % 3 == 1 ? 0 : 0.2f + 0.5f * (item % 5);
    }
    return new Separable(users, items);
  }

  private static LeastSquaresRequest request(CellField weights, CellField targets, Ridge ridge) {
    return new LeastSquaresRequest(weights, targets, RANK, ridge);
  }

  private ComputeSession session(Parallelism parallelism) {
    return new CpuBackend(new CpuBackendProvider.Options(CpuBackendProvider.Options.Library.AUTO))
        .open(
            new SessionContext(
                new RunContext(root, parallelism, () -> false, RunListener.none()),
                SHAPE,
                ComputationPath.CORRECTED,
                WEIGHT_ERROR));
  }

  private static double[] sweep(
      ComputeSession session, LeastSquaresRequest request, FactorModel m) {
    try (LeastSquares problem = session.leastSquares(request)) {
      return new double[] {problem.solve(Side.USERS, m), problem.solve(Side.ITEMS, m)};
    }
  }

  private static float[] values(FloatMatrix matrix) {
    float[] values = new float[matrix.rows() * matrix.columns()];
    matrix.readRows(0, matrix.rows(), values);
    return values;
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void solvesRowsLikeTheReference(Kind kind) {
    LeastSquaresRequest request = request(kind);
    for (Side side : Side.values()) {
      try (ComputeSession session = session(new DirectParallelism());
          LeastSquares problem = session.leastSquares(request);
          ComputeSession slow = new ReferenceComputeSession(SHAPE, root);
          LeastSquares reference = slow.leastSquares(request);
          FactorModel actual = TestGrids.randomModel(root, SHAPE, RANK, 4);
          FactorModel expected = TestGrids.randomModel(root, SHAPE, RANK, 4)) {
        double objective = reference.solve(side, expected);
        assertEquals(objective, problem.solve(side, actual), 1e-4 * objective, "objective");
        float[] rows = values(expected.side(side));
        double most = 0;
        for (float value : rows) {
          most = Math.max(most, Math.abs(value));
        }
        double tolerance = kind.name().startsWith("WEAK") ? 1e-3 : 1e-5;
        assertArrayEquals(rows, values(actual.side(side)), (float) (tolerance * most));
      }
    }
  }

  @Test
  void givesTheSameBitsOnAnyThreadsAndWhateverTheRowsWere() {
    Map<String, Parallelism> ways = new LinkedHashMap<>();
    ways.put("two threads", new ThreadedParallelism(2));
    ways.put("tasks shuffled", new DirectParallelism().withThreads(3).shuffled(1));
    for (Kind kind : Kind.values()) {
      float[] once = solvedAfter(kind, new DirectParallelism(), 0.5f);
      ways.forEach(
          (name, parallelism) ->
              assertArrayEquals(once, solvedAfter(kind, parallelism, 0.5f), kind + ", " + name));
      assertArrayEquals(
          once,
          solvedAfter(kind, new DirectParallelism(), Float.NaN),
          kind + ": rows depend on what they were before");
    }
  }

  /** Sweep once from given users, and return the factors of both sides. */
  private float[] solvedAfter(Kind kind, Parallelism parallelism, float users) {
    try (ComputeSession session = session(parallelism);
        FactorModel model = TestGrids.randomModel(root, SHAPE, RANK, 5)) {
      float[] before = new float[SHAPE.users() * RANK];
      Arrays.fill(before, users);
      model.users().writeRows(0, SHAPE.users(), before);
      double[] objectives = sweep(session, request(kind), model);
      assertTrue(objectives[1] <= objectives[0] * (1 + 1e-5), kind + " increases the objective");
      float[] items = values(model.items());
      float[] solved = Arrays.copyOf(values(model.users()), before.length + items.length);
      System.arraycopy(items, 0, solved, before.length, items.length);
      return solved;
    }
  }
}
