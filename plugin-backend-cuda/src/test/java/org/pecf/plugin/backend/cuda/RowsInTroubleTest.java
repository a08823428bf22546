package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunEvent;
import org.pecf.plugin.backend.cuda.StandIn.Count;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;

/** Rows that a kernel gives up are solved otherwise: factorised, or in double precision. */
class RowsInTroubleTest extends OnStandIn {
  private static final int HARD_USER = 4;

  /**
   * A row of weights between 1 and 1,000 has eigenvalues all over that range, and takes more steps
   * than are allowed. It is factorised; the rows beside it are not.
   */
  @Test
  void rowThatTakesTooManyStepsIsFactorised() {
    GridShape shape = new GridShape(7, 90);
    try (SparseCells positives =
            TestGrids.cellsWhere(root, shape, (u, i) -> u == HARD_USER || (u + i) % 9 == 0);
        SparseCells odd =
            TestGrids.cellsWhere(root, shape, (u, i) -> u == HARD_USER && i % 2 == 1);
        SparseCells second =
            TestGrids.cellsWhere(root, shape, (u, i) -> u == HARD_USER && i / 2 % 2 == 1);
        SparseCells third =
            TestGrids.cellsWhere(root, shape, (u, i) -> u == HARD_USER && i / 4 % 2 == 1)) {
      List<SparseCells> heavy = List.of(odd, second, third);
      Function<Float, Function<ComputeSession, Outcome>> training =
          factor ->
              session -> solveUsers(session, shape, weights(positives, heavy, factor), positives);
      ComputationPath path = ComputationPath.CORRECTED;
      Outcome expected = Sessions.cpu(root, shape, path, training.apply(10f));
      Outcome hard = Sessions.cuda(root, shape, path, training.apply(10f));
      Outcome easy = Sessions.cuda(root, shape, path, training.apply(1f));
      assertTrue(hard.launches() > easy.launches(), "the row is solved by more kernels");
      assertEquals(expected.objective(), hard.objective(), 1e-4 * expected.objective());
      for (int k = 0; k < expected.scores().length; k++) {
        assertEquals(expected.scores()[k], hard.scores()[k], 3e-3, "score " + k);
      }
    }
  }

  private static CellField weights(SparseCells positives, List<SparseCells> heavy, float factor) {
    List<CellField> factors = new ArrayList<>(List.of(CellField.observed(positives, 1, 0.1f)));
    heavy.forEach(set -> factors.add(CellField.observed(set, factor, 1)));
    return CellField.product(factors.toArray(CellField[]::new));
  }

  private record Outcome(double objective, double[] scores, long launches) {}

  private Outcome solveUsers(
      ComputeSession session, GridShape shape, CellField weights, SparseCells positives) {
    int rank = 64;
    LeastSquaresRequest request =
        new LeastSquaresRequest(
            weights, CellField.observed(positives, 1, 0), rank, new Ridge(0.2, 0.3, 0));
    try (FactorModel model = TestGrids.randomModel(root, shape, rank, 1);
        LeastSquares problem = session.leastSquares(request)) {
      long before = StandIn.count(Count.LAUNCHES);
      double objective = problem.solve(Side.USERS, model);
      long launches = StandIn.count(Count.LAUNCHES) - before;
      double[] scores = new double[shape.users() * shape.items()];
      for (int k = 0; k < scores.length; k++) {
        for (int f = 0; f < rank; f++) {
          scores[k] +=
              (double) model.users().get(k / shape.items(), f)
                  * model.items().get(k % shape.items(), f);
        }
      }
      return new Outcome(objective, scores, launches);
    }
  }

  /**
   * With weight {@code w = 2^26} and factors (1, 1) the equations of a user are {@code w (1 1; 1 1)
   * + lambda / 2}. A penalty of 1 is lost in floats, where {@code w + 1 / 2 = w}, and kept in
   * doubles, where the solution is {@code w / (2 w + 1 / 2)} twice. A penalty of 1e-12 is lost in
   * both, and the diagonal gets a billionth of {@code w} added, which is said.
   */
  @ParameterizedTest
  @CsvSource({"DENSE, 1, 0", "CORRECTED, 1, 0", "DENSE, 1e-12, 1", "CORRECTED, 1e-12, 1"})
  void rowThatIsNotDefiniteInSinglePrecisionIsSolvedInDouble(
      ComputationPath path, double lambda, int stabilised) {
    GridShape shape = new GridShape(4, 5);
    double weight = 1 << 26;
    List<RunEvent> events = new ArrayList<>();
    SessionContext context =
        new SessionContext(
            new RunContext(root, new DirectParallelism(), () -> false, events::add),
            shape,
            path,
            0.05);
    SmallTiles provider = SmallTiles.ofDozens();
    CudaOptions options = provider.options().bind("cuda", Map.of());
    try (SparseCells positives = TestGrids.cellsWhere(root, shape, (u, i) -> u == i);
        SparseCells heavy = TestGrids.cellsWhere(root, shape, (u, i) -> u == 2 && i == 2);
        FactorModel model = TestGrids.randomModel(root, shape, 2, 1);
        ComputeSession session = provider.create(options).open(context)) {
      model.items().writeRows(0, 5, new float[] {2, 1, 1, 3, 1, 1, 4, 1, 1, 5});
      LeastSquaresRequest request =
          new LeastSquaresRequest(
              CellField.product(
                  CellField.observed(positives, 1, 0), CellField.observed(heavy, 1 << 26, 1)),
              CellField.observed(positives, 1, 0),
              2,
              new Ridge(lambda, 1, 0));
      try (LeastSquares problem = session.leastSquares(request)) {
        problem.solve(Side.USERS, model);
      }
      double expected = weight / (2 * weight + lambda / 2);
      assertEquals(expected, model.users().get(2, 0), 1e-6);
      assertEquals(expected, model.users().get(2, 1), 1e-6);
      if (lambda == 1) {
        // (4 + 1/2, 2; 2, 1 + 1/2) x = (2, 1), by hand.
        assertEquals(1 / 2.75, model.users().get(0, 0), 1e-6, "the row beside it");
        assertEquals(0.5 / 2.75, model.users().get(0, 1), 1e-6, "the row beside it");
      }
    }
    List<String> said =
        events.stream()
            .filter(event -> !(event instanceof LeastSquaresPlan))
            .map(RunEvent::summary)
            .toList();
    assertEquals(stabilised, said.size(), said.toString());
    assertTrue(said.stream().allMatch(text -> text.contains("not positive definite")));
  }
}
