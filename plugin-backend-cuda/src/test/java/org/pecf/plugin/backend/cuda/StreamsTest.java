package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;

/** Streams whose work is mixed, and half-sweeps that end in the middle. */
class StreamsTest extends OnStandIn {
  private static final GridShape SHAPE = new GridShape(11, 45);

  private SparseCells positives;

  @BeforeEach
  void open() {
    positives = TestGrids.randomCells(root, SHAPE, 0.4, 3);
  }

  @AfterEach
  void close() {
    positives.close();
  }

  private LeastSquaresRequest request() {
    return new LeastSquaresRequest(
        CellField.observed(positives, 1, 0.1f),
        CellField.observed(positives, 1, 0),
        3,
        new Ridge(0.3, 0.4, 0.5));
  }

  /** Both streams have buffers of their own: nothing is lost where one gets in between. */
  @Test
  void streamsThatTakeTurnsDoNotDisturbEachOther() {
    for (ComputationPath path : List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
      Function<ComputeSession, double[]> work =
          session -> {
            try (FactorModel model = TestGrids.randomModel(root, SHAPE, 3, 7);
                LeastSquares problem = session.leastSquares(request());
                RankedItems best =
                    session.rank(
                        new RankingRequest(
                            CellField.score(model),
                            0,
                            SHAPE.users(),
                            10,
                            List.of(positives),
                            Optional.empty()))) {
              double[] values = new double[SHAPE.users() * 10 + 2];
              for (int k = 0; k + 2 < values.length; k++) {
                values[k] = best.count(k / 10) > k % 10 ? best.item(k / 10, k % 10) : -1;
              }
              values[values.length - 2] = problem.solve(Side.USERS, model);
              values[values.length - 1] = problem.solve(Side.ITEMS, model);
              return values;
            }
          };
      double[] expected = Sessions.cpu(root, SHAPE, path, work);
      StandIn.setInTurns(true);
      double[] actual = Sessions.cudaInSmallTiles(root, SHAPE, path, work);
      StandIn.setInTurns(false);
      assertArrayEquals(expected, actual, 1e-3, path + " path");
    }
  }

  /** The device has changed factors that the host has not got: they are copied there again. */
  @Test
  void halfSweepThatIsCancelledLeavesTheFactorsOfTheHost() {
    int[] checks = {Integer.MAX_VALUE};
    SessionContext context =
        new SessionContext(
            new RunContext(root, new DirectParallelism(), () -> checks[0]-- <= 0, event -> {}),
            SHAPE,
            ComputationPath.CORRECTED,
            0.05);
    SmallTiles provider = SmallTiles.ofDozens();
    CudaOptions options = provider.options().bind("cuda", Map.of());
    try (ComputeSession session = provider.create(options).open(context);
        FactorModel model = TestGrids.randomModel(root, SHAPE, 3, 7);
        LeastSquares problem = session.leastSquares(request())) {
      double before = problem.solve(Side.ITEMS, model);
      // One check, and then one a tile: two tiles of users are solved.
      checks[0] = 3;
      assertThrows(RuntimeException.class, () -> problem.solve(Side.USERS, model));
      checks[0] = Integer.MAX_VALUE;
      assertEquals(before, problem.solve(Side.ITEMS, model));
    }
  }
}
