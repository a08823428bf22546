package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.arrow.memory.ArrowBuf;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.plugin.backend.cuda.StandIn.Count;
import org.pecf.plugin.backend.cuda.StandIn.Failure;
import org.pecf.testkit.fixture.TestGrids;

/** Too little memory, a broken device, memory that changes hands: nothing is lost or left over. */
class MemoryAndFailuresTest extends OnStandIn {
  private static final GridShape SHAPE = new GridShape(14, 11);

  /** Everything a session does, each with the numbers it yields. */
  private Map<String, Function<ComputeSession, float[]>> operations(
      SparseCells positives, FactorModel model) {
    CellField ratings = CellField.observed(positives, 1, 0);
    CellField error = CellField.difference(ratings, CellField.score(model));
    CellField weights =
        CellField.product(
            CellField.observed(positives, 1, 0.1f),
            new Apply(new Posterior(10, 1, 11), List.of(error)));
    Map<String, Function<ComputeSession, float[]>> operations = new LinkedHashMap<>();
    operations.put(
        "sums",
        session -> {
          double[] sums = session.fields().sums(List.of(weights, error));
          return new float[] {(float) sums[0], (float) sums[1]};
        });
    operations.put(
        "fill",
        session -> {
          try (FloatMatrix tile = FloatMatrix.allocate(root, SHAPE.users(), SHAPE.items())) {
            session.fields().fill(weights, 0, 0, tile);
            return values(tile);
          }
        });
    operations.put(
        "gather",
        session -> {
          try (ArrowBuf values = root.buffer(4L * positives.count())) {
            session.fields().gather(weights, positives, values);
            float[] found = new float[positives.count()];
            for (int k = 0; k < found.length; k++) {
              found[k] = values.getFloat(4L * k);
            }
            return found;
          }
        });
    operations.put(
        "least squares",
        session -> {
          try (FactorModel factors = TestGrids.randomModel(root, SHAPE, 3, 5);
              LeastSquares problem =
                  session.leastSquares(
                      new LeastSquaresRequest(weights, error, 3, new Ridge(0.3, 0.4, 0.5)))) {
            problem.solve(Side.USERS, factors);
            problem.solve(Side.ITEMS, factors);
            return values(factors.items());
          }
        });
    operations.put(
        "rank",
        session -> {
          try (RankedItems lists =
              session.rank(
                  new RankingRequest(
                      CellField.score(model),
                      0,
                      SHAPE.users(),
                      7,
                      List.of(positives),
                      Optional.empty()))) {
            float[] scores = new float[SHAPE.users() * 7];
            for (int k = 0; k < scores.length; k++) {
              scores[k] = lists.count(k / 7) > k % 7 ? lists.score(k / 7, k % 7) : 0;
            }
            return scores;
          }
        });
    operations.put(
        "pairwise",
        session -> {
          try (FactorModel factors = TestGrids.randomModel(root, SHAPE, 3, 5);
              PairwiseSgd training = session.pairwise(pairwise(positives))) {
            training.epoch(factors, 0, 0.1);
            return values(factors.items());
          }
        });
    operations.put(
        "multiply and invert",
        session -> {
          try (FloatMatrix left = FloatMatrix.allocate(root, 9, 9);
              FloatMatrix product = FloatMatrix.allocate(root, 9, 9)) {
            for (int k = 0; k < 9; k++) {
              left.set(k, k, k + 1);
            }
            session.matrices().multiply(left, left, product);
            session.matrices().invert(product);
            return values(product);
          }
        });
    return operations;
  }

  private static PairwiseRequest pairwise(SparseCells positives) {
    return PairwiseRequest.of(
        positives,
        new PairwisePenalties(0.01, 0.02, 0.03),
        PairwiseMode.DETERMINISTIC,
        new Seed(31));
  }

  private static float[] values(FloatMatrix matrix) {
    float[] values = new float[matrix.rows() * matrix.columns()];
    matrix.readRows(0, matrix.rows(), values);
    return values;
  }

  private interface Body {
    void run(
        String name,
        Function<ComputeSession, float[]> operation,
        ComputationPath path,
        float[] result);
  }

  private void forEachOperation(Body body) {
    try (SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.2, 3);
        FactorModel model = TestGrids.randomModel(root, SHAPE, 4, 4)) {
      operations(positives, model)
          .forEach(
              (name, operation) -> {
                List<ComputationPath> paths =
                    name.equals("least squares")
                        ? List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)
                        : List.of(ComputationPath.DENSE);
                for (ComputationPath path : paths) {
                  body.run(
                      name + ", " + path,
                      operation,
                      path,
                      Sessions.cuda(root, SHAPE, path, operation));
                }
              });
    }
  }

  /** Each allocation, launch and product in turn finds no memory: smaller tiles will do. */
  @Test
  void memoryThatIsTakenMeanwhileMeansSmallerTilesOrOneClearSentence() {
    int[] outcomes = new int[2];
    forEachOperation(
        (name, operation, path, expected) -> {
          for (Failure failure : List.of(Failure.ALLOCATION, Failure.LAUNCH, Failure.PRODUCT)) {
            // Not every call: what happens is alike for most of them.
            for (int calls = 0; calls < 200; calls += 1 + calls / 3) {
              StandIn.failAfter(failure, calls);
              String what = name + ", " + failure + " fails after " + calls;
              try {
                float[] found = Sessions.cuda(root, SHAPE, path, operation);
                assertArrayEquals(expected, found, 2e-5f, what);
                outcomes[0]++;
              } catch (PecfException e) {
                assertEquals(ErrorCode.RESOURCES, e.code(), what + ": " + e.getMessage());
                assertTrue(e.getMessage().contains("memory"), what + ": " + e.getMessage());
                assertTrue(e.getMessage().contains("the cpu backend"), e.getMessage());
                outcomes[1]++;
              }
              StandIn.failNever();
              assertEquals(List.of(), StandIn.leaks(), what);
            }
          }
        });
    assertTrue(outcomes[0] > outcomes[1], "most end well: " + outcomes[0] + ":" + outcomes[1]);
  }

  @Test
  void deviceThatBreaksIsReportedOnceAndLeavesNothing() {
    forEachOperation(
        (name, operation, path, expected) -> {
          for (int calls = 0; calls < 60; calls += 1 + calls / 2) {
            StandIn.failAfter(Failure.EXECUTION, calls);
            String what = name + ", broken after " + calls;
            try {
              assertArrayEquals(expected, Sessions.cuda(root, SHAPE, path, operation), what);
            } catch (PecfException e) {
              assertEquals(ErrorCode.INTERNAL, e.code(), what + ": " + e.getMessage());
              assertTrue(e.getMessage().contains("CUDA_ERROR_LAUNCH_FAILED"), e.getMessage());
              assertTrue(e.getMessage().contains("self-test"), e.getMessage());
            }
            StandIn.failNever();
            assertEquals(List.of(), StandIn.leaks(), what);
            // The next session is as good as new.
            assertArrayEquals(expected, Sessions.cuda(root, SHAPE, path, operation), what);
          }
        });
  }

  /** Tiles are sized by the memory there is, and results do not depend on it beyond rounding. */
  @Test
  void smallDeviceComputesTheSameInMoreTiles() {
    forEachOperation(
        (name, operation, path, expected) -> {
          StandIn.forgetMostBytes();
          Sessions.cuda(root, SHAPE, path, operation);
          long enough = StandIn.count(Count.MOST_BYTES);
          long launches = StandIn.count(Count.LAUNCHES);
          Sessions.cuda(root, SHAPE, path, operation);
          long inOne = StandIn.count(Count.LAUNCHES) - launches;
          StandIn.setCapacity(enough * 2 / 3);
          StandIn.forgetMostBytes();
          try {
            launches = StandIn.count(Count.LAUNCHES);
            float[] found = Sessions.cuda(root, SHAPE, path, operation);
            assertArrayEquals(expected, found, 2e-5f, name);
            assertTrue(StandIn.count(Count.MOST_BYTES) <= enough * 2 / 3, name);
            assertTrue(StandIn.count(Count.LAUNCHES) - launches >= inOne, name);
          } catch (PecfException e) {
            assertEquals(ErrorCode.RESOURCES, e.code(), name + ": " + e.getMessage());
          }
          StandIn.setCapacity(0);
        });
  }

  @Test
  void tooSmallADeviceIsRefusedWithFigures() {
    StandIn.setCapacity(4096);
    GridShape large = new GridShape(50, 5000);
    try (FactorModel model = TestGrids.randomModel(root, large, 4, 4)) {
      PecfException e =
          assertThrows(
              PecfException.class,
              () ->
                  Sessions.cuda(
                      root,
                      large,
                      ComputationPath.DENSE,
                      session -> session.fields().sums(List.of(CellField.score(model)))));
      assertEquals(ErrorCode.RESOURCES, e.code());
      assertTrue(e.getMessage().matches(".*\\d+ MiB.*"), e.getMessage());
    }
  }

  @Test
  void factorsStayOnTheDeviceBetweenSweepsUnlessTheyAreChanged() {
    try (SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.2, 3);
        FactorModel model = TestGrids.randomModel(root, SHAPE, 64, 4)) {
      LeastSquaresRequest request =
          new LeastSquaresRequest(
              CellField.observed(positives, 1, 0.1f),
              CellField.observed(positives, 1, 0),
              64,
              new Ridge(0.3, 0.4, 0));
      Sessions.cuda(
          root,
          SHAPE,
          ComputationPath.DENSE,
          session -> {
            try (LeastSquares problem = session.leastSquares(request)) {
              problem.solve(Side.USERS, model);
              long factors = 4L * 64 * SHAPE.users();
              long before = StandIn.count(Count.COPIED_IN);
              problem.solve(Side.ITEMS, model);
              problem.solve(Side.USERS, model);
              long copied = StandIn.count(Count.COPIED_IN) - before;
              assertTrue(copied < factors / 4, copied + " bytes copied");
              float[] unchanged = values(model.users());
              model.items().set(5, 6, 1.5f);
              before = StandIn.count(Count.COPIED_IN);
              problem.solve(Side.USERS, model);
              assertTrue(StandIn.count(Count.COPIED_IN) - before >= 4L * 64 * SHAPE.items());
              assertFalse(Arrays.equals(unchanged, values(model.users())));
              return null;
            }
          });
    }
  }

  /** Products are in full single precision unless asked otherwise. */
  @Test
  void productsAreInFullPrecisionUnlessAskedOtherwise() {
    Sessions.cuda(root, SHAPE, ComputationPath.DENSE, session -> null);
    assertEquals(0, StandIn.count(Count.MATH_MODE), "CUBLAS_DEFAULT_MATH");
    Map<String, Integer> modes = Map.of("full", 0, "pedantic", 2, "tf32", 3);
    modes.forEach(
        (name, mode) -> {
          Sessions.in(
              new CudaBackendProvider(),
              Map.of("math", name),
              root,
              SHAPE,
              ComputationPath.DENSE,
              session -> null);
          assertEquals(mode.longValue(), StandIn.count(Count.MATH_MODE), name);
        });
  }

  /** Where memory of the host cannot be pinned, copies are slower, and results the same. */
  @Test
  void memoryThatCannotBePinnedIsCopiedAllTheSame() {
    try (FactorModel model = TestGrids.randomModel(root, SHAPE, 5, 3)) {
      Function<ComputeSession, Double> sum =
          session -> session.fields().sums(List.of(CellField.score(model)))[0];
      double pinned = Sessions.cuda(root, SHAPE, ComputationPath.DENSE, sum);
      StandIn.setPinning(false);
      assertEquals(pinned, Sessions.cuda(root, SHAPE, ComputationPath.DENSE, sum));
    }
  }

  @Test
  void deviceThatIsNotThereIsRefused() {
    PecfException e =
        assertThrows(
            PecfException.class,
            () ->
                Sessions.in(
                    new CudaBackendProvider(),
                    Map.of("device", "3"),
                    root,
                    SHAPE,
                    ComputationPath.DENSE,
                    session -> null));
    assertEquals(ErrorCode.UNAVAILABLE, e.code());
    assertEquals("There is no CUDA device 3. Choose a device from 0 to 0.", e.getMessage());
  }
}
