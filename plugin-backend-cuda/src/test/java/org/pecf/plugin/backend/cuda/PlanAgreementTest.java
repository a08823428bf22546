package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.data.Part;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.Linear;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.testkit.fixture.TestGrids;

/** Both backends mean the same by background, exceptions and the error of weights. */
class PlanAgreementTest extends OnStandIn {
  private static final GridShape SHAPE = new GridShape(40, 50);

  @Test
  void backgroundsAndExceptionsAreThoseOfTheCpu() {
    try (SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.1, 3);
        SparseCells held = TestGrids.randomCells(root, SHAPE, 0.02, 9);
        FactorModel model = TestGrids.randomModel(root, SHAPE, 4, 4)) {
      CellField ratings = CellField.observed(positives, 1, 0);
      CellField error =
          new Linear(
              List.of(new Linear.Term(1, ratings), new Linear.Term(-0.2f, CellField.score(model))));
      CellField confidence = CellField.observed(positives, 1, 0.01f);
      PartMask training = new CellPartition(7, 3, 1, 1).mask(Part.TRAINING);
      CellField posterior = new Apply(new Posterior(10, 1, 11), List.of(error));
      List<CellField> weights =
          List.of(
              confidence,
              CellField.product(confidence, posterior),
              CellField.product(training, confidence, CellField.observed(held, 0, 1), posterior));
      for (CellField weight : weights) {
        for (CellField targets : List.of(ratings, error)) {
          LeastSquaresRequest request =
              new LeastSquaresRequest(weight, targets, 2, new Ridge(0.2, 0.3, 0.5));
          Function<ComputeSession, LeastSquaresPlan> plan =
              session -> {
                try (LeastSquares problem = session.leastSquares(request)) {
                  return problem.plan();
                }
              };
          LeastSquaresPlan cpu = Sessions.cpu(root, SHAPE, ComputationPath.CORRECTED, plan);
          LeastSquaresPlan cuda = Sessions.cuda(root, SHAPE, ComputationPath.CORRECTED, plan);
          assertEquals(cpu.scoreBound(), cuda.scoreBound(), "score bound");
          assertEquals(cpu.weightError(), cuda.weightError(), "weight error");
          assertEquals(cpu.exceptions(), cuda.exceptions(), "exceptions");
          assertTrue(cuda.exceptions() < SHAPE.cells(), "there is a background");
        }
      }
    }
  }
}
