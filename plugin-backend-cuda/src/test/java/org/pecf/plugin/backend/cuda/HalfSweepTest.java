package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.plugin.backend.cuda.StandIn.Count;
import org.pecf.testkit.fixture.TestGrids;

/** The work and memory that the tiles of a half-sweep share, counted. */
class HalfSweepTest extends OnStandIn {
  private static final GridShape SHAPE = new GridShape(11, 14);

  /** The rows of a tile. */
  private static final int TILE = 3;

  private SparseCells positives;
  private FactorModel model;

  @BeforeEach
  void open() {
    positives = TestGrids.randomCells(root, SHAPE, 0.3, 3);
    model = TestGrids.randomModel(root, SHAPE, 4, 5);
  }

  @AfterEach
  void close() {
    model.close();
    positives.close();
  }

  /** What each half-sweep of two sweeps adds to a count. */
  private List<Long> counted(Count count, ComputationPath path, CellField targets, int rank) {
    LeastSquaresRequest request =
        new LeastSquaresRequest(
            CellField.observed(positives, 1, 0.1f), targets, rank, new Ridge(0.3, 0.4, 0.5));
    return Sessions.cudaInSmallTiles(
        root,
        SHAPE,
        path,
        session -> {
          try (FactorModel factors = TestGrids.randomModel(root, SHAPE, rank, 7);
              LeastSquares problem = session.leastSquares(request)) {
            assertEquals(path, problem.plan().path());
            LongSupplier users = () -> added(count, problem, Side.USERS, factors);
            LongSupplier items = () -> added(count, problem, Side.ITEMS, factors);
            return List.of(
                users.getAsLong(), items.getAsLong(), users.getAsLong(), items.getAsLong());
          }
        });
  }

  private static long added(Count count, LeastSquares problem, Side side, FactorModel factors) {
    long before = StandIn.count(count);
    problem.solve(side, factors);
    return StandIn.count(count) - before;
  }

  private static long tiles(int rows) {
    return (rows + TILE - 1) / TILE;
  }

  /** One Gramian a half-sweep, not one a tile, nor one for each stream. */
  @Test
  void gramianIsComputedOnceForAllTiles() {
    CellField ratings = CellField.observed(positives, 1, 0);
    assertEquals(
        List.of(1L, 1L, 1L, 1L),
        counted(Count.PRODUCTS, ComputationPath.CORRECTED, ratings, 3),
        "targets without scores");
    // The Gramian, the product with the other side of the scored model, and one product a tile.
    CellField errors = CellField.difference(ratings, CellField.score(model));
    long users = 2 + tiles(SHAPE.users());
    long items = 2 + tiles(SHAPE.items());
    assertEquals(
        List.of(users, items, users, items),
        counted(Count.PRODUCTS, ComputationPath.CORRECTED, errors, 3),
        "targets with scores");
  }

  /** Tiles are allocated with the first half-sweep, and kept as long as the problem. */
  @Test
  void tilesAreAllocatedOnce() {
    CellField ratings = CellField.observed(positives, 1, 0);
    List<Long> dense = counted(Count.ALL_ALLOCATIONS, ComputationPath.DENSE, ratings, 3);
    assertTrue(dense.get(0) > 0, "tiles");
    assertEquals(List.of(0L, 0L, 0L), dense.subList(1, 4), "nothing more");
    List<Long> corrected = counted(Count.ALL_ALLOCATIONS, ComputationPath.CORRECTED, ratings, 3);
    assertTrue(corrected.get(0) > 1, "tiles and a Gramian");
    assertEquals(List.of(1L, 1L, 1L), corrected.subList(1, 4), "a Gramian each");
  }
}
