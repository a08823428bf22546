package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import org.apache.arrow.memory.ArrowBuf;
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
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.fixture.TestGrids;

/** Scores that are kept on the device, and read wherever they are asked for. */
class KeptScoresTest extends OnStandIn {
  private static final GridShape SHAPE = new GridShape(11, 45);

  private FactorModel first;
  private FactorModel second;
  private SparseCells positives;

  @BeforeEach
  void open() {
    first = TestGrids.randomModel(root, SHAPE, 3, 1);
    second = TestGrids.randomModel(root, SHAPE, 2, 2);
    positives = TestGrids.randomCells(root, SHAPE, 0.2, 3);
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    positives.close();
  }

  private CellField both(float ofFirst, float ofSecond) {
    return new Linear(
        List.of(
            new Linear.Term(ofFirst, CellField.score(first)),
            new Linear.Term(ofSecond, CellField.score(second))));
  }

  /** Models must not change while scores are kept: here they do, which shows what is kept. */
  private static void erase(FactorModel model) {
    model.users().writeRows(0, SHAPE.users(), new float[SHAPE.users() * model.rank()]);
  }

  /** Return what every kind of work makes of scores. */
  private double[] results(ComputeSession session, CellField scores) {
    CellField error = CellField.difference(CellField.observed(positives, 1, 0), scores);
    DoubleStream.Builder values = DoubleStream.builder();
    for (double sum : session.fields().sums(List.of(error, scores))) {
      values.add(sum);
    }
    try (FloatMatrix tile = FloatMatrix.allocate(root, 5, 20);
        ArrowBuf listed = root.buffer(4L * positives.count());
        RankedItems best =
            session.rank(
                new RankingRequest(
                    scores, 0, SHAPE.users(), 4, List.of(positives), Optional.empty()))) {
      session.fields().fill(error, 3, 22, tile);
      session.fields().gather(error, positives, listed);
      for (int k = 0; k < 100; k++) {
        values.add(tile.get(k / 20, k % 20));
      }
      for (int k = 0; k < positives.count(); k++) {
        values.add(listed.getFloat(4L * k));
      }
      for (int user = 0; user < SHAPE.users(); user++) {
        values.add(best.item(user, 3));
      }
    }
    return values.build().toArray();
  }

  private double[] inSmallTiles(Consumer<ComputeSession> before, CellField scores) {
    return Sessions.cudaInSmallTiles(
        root,
        SHAPE,
        ComputationPath.DENSE,
        session -> {
          before.accept(session);
          return results(session, scores);
        });
  }

  @Test
  void everyKindOfWorkReadsThem() {
    double[] expected = inSmallTiles(session -> {}, both(0.5f, 0.25f));
    double[] actual =
        inSmallTiles(
            session -> {
              session.keep(both(0.5f, 0.25f));
              erase(first);
              erase(second);
            },
            both(0.5f, 0.25f));
    assertArrayEquals(expected, actual, 1e-4);
  }

  @Test
  void combinationThatGoesOnCostsTheNewModelsAlone() {
    double[] expected = inSmallTiles(session -> {}, both(0.5f, 0.25f));
    double[] actual =
        inSmallTiles(
            session -> {
              session.keep(CellField.score(first));
              erase(first);
              session.keep(both(0.5f, 0.25f));
              erase(second);
              // The same proportions: nothing but a factor is new.
              session.keep(both(1, 0.5f));
              session.keep(both(0.5f, 0.25f));
            },
            both(0.5f, 0.25f));
    assertArrayEquals(expected, actual, 1e-4);
  }

  @Test
  void anotherCombinationTakesTheirPlace() {
    double[] expected = inSmallTiles(session -> {}, CellField.score(second));
    double[] actual =
        inSmallTiles(
            session -> {
              session.keep(CellField.score(first));
              session.keep(CellField.score(second));
              erase(second);
            },
            CellField.score(second));
    assertArrayEquals(expected, actual, 1e-4);
  }

  /** A problem that was prepared while scores were kept copies the models when they are not. */
  @Test
  void openProblemDoesWithoutThemWhenOthersAreKept() {
    CellField weights =
        CellField.product(
            CellField.observed(positives, 1, 0.1f),
            new Apply(
                new Posterior(10, 1, 11),
                List.of(
                    CellField.difference(CellField.observed(positives, 1, 0), both(0.5f, 0.25f)))));
    LeastSquaresRequest request =
        new LeastSquaresRequest(
            weights, CellField.observed(positives, 1, 0), 3, new Ridge(0.3, 0.4, 0));
    // The second stream runs before the first one, which copies, unless it waits.
    StandIn.setOthersFirst(true);
    double[][] objectives = new double[2][];
    for (int round = 0; round < 2; round++) {
      boolean keep = round == 1;
      objectives[round] =
          Sessions.cudaInSmallTiles(
              root,
              SHAPE,
              ComputationPath.DENSE,
              session -> {
                if (keep) {
                  session.keep(both(0.5f, 0.25f));
                }
                try (FactorModel model = TestGrids.randomModel(root, SHAPE, 3, 7);
                    LeastSquares problem = session.leastSquares(request)) {
                  double users = problem.solve(Side.USERS, model);
                  if (keep) {
                    session.keep(CellField.score(second));
                  }
                  return new double[] {users, problem.solve(Side.ITEMS, model)};
                }
              });
    }
    assertArrayEquals(objectives[0], objectives[1], 1e-4 * Math.abs(objectives[0][0]));
  }

  @Test
  void smallDeviceKeepsNothing() {
    double[] expected = inSmallTiles(session -> {}, both(0.5f, 0.25f));
    StandIn.setCapacity(3 * 4 * SHAPE.cells());
    double[] actual = inSmallTiles(session -> session.keep(both(0.5f, 0.25f)), both(0.5f, 0.25f));
    StandIn.setCapacity(0);
    assertEquals(expected.length, actual.length);
    assertTrue(Arrays.equals(expected, actual), "the same work gives the same bits");
  }
}
