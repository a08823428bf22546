package org.pecf.plugin.wmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;
import org.pecf.testkit.reference.ReferenceRows;

/** Users that are taken in by the model's rule, beside those of a last half-sweep. */
class NewUsersTest {
  private static final GridShape SHAPE = new GridShape(31, 17);

  @Test
  void aUserTakenInAgainHasTheRowOfALastHalfSweep() {
    for (String exponent : new String[] {"0", "0.4", "1"}) {
      assertSolvedAlike(
          new WmfProvider()
              .options()
              .bind(
                  "wmf",
                  Map.of(
                      "rank",
                      "4",
                      "iterations",
                      "3",
                      "lambda",
                      "0.7",
                      "frequency-exponent",
                      exponent)));
    }
  }

  private static void assertSolvedAlike(WmfProvider.Options options) {
    try (RootAllocator root = new RootAllocator();
        SparseCells positives = TestGrids.planted(root, SHAPE, 3, 0.7, 0.1, 4)) {
      RunContext run =
          new RunContext(root, new DirectParallelism(), () -> false, RunListener.none());
      TrainingTask task =
          new TrainingTask(
              SHAPE,
              positives,
              CellField.observed(positives, 1, 0.05f),
              CellField.observed(positives, 1, 0),
              Optional.empty());
      try (ComputeSession session =
              new ReferenceComputeSession(new SessionContext(run, SHAPE, ComputationPath.AUTO, 0));
          FactorModel model =
              (FactorModel)
                  new WeightedMatrixFactorisation(options)
                      .train(task, new TrainingContext(run, session, new Seed(2)));
          LeastSquares problem =
              session.leastSquares(
                  new LeastSquaresRequest(
                      task.weights(), task.targets(), options.rank(), options.ridge()))) {
        assertTrue(
            ReferenceRows.relativeError(task, model, Optional.empty()) > 1e-4,
            "nothing left to solve");
        problem.solve(Side.USERS, model);
        assertEquals(0, ReferenceRows.relativeError(task, model, Optional.empty()), 1e-6);
      }
    }
  }
}
