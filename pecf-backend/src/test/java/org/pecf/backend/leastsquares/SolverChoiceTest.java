package org.pecf.backend.leastsquares;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.backend.leastsquares.SolverChoice.Solver.CONJUGATE_GRADIENTS;
import static org.pecf.backend.leastsquares.SolverChoice.Solver.FACTORISATION;
import static org.pecf.backend.leastsquares.SolverChoice.Solver.FEW_EXCEPTIONS;

import org.junit.jupiter.api.Test;

class SolverChoiceTest {
  private final SolverChoice choice = new SolverChoice(64);

  @Test
  void followsTheNumberOfExceptions() {
    assertEquals(FEW_EXCEPTIONS, choice.of(5, false));
    assertEquals(CONJUGATE_GRADIENTS, choice.of(80, true));
    assertEquals(FACTORISATION, choice.of(5000, true), "too many to stay in cache");
  }

  @Test
  void factorisesSmallMatrices() {
    assertEquals(FACTORISATION, new SolverChoice(8).of(80, false));
    assertFalse(SolverChoice.whitens(31), "for its precision");
    assertTrue(SolverChoice.whitens(32));
  }

  @Test
  void factorisesAfterStepsThatDidNotConverge() {
    int most = choice.mostSteps(80);
    assertTrue(most > 8, "a row may take " + most + " steps");
    choice.took(most, false);
    assertEquals(FACTORISATION, choice.of(80, false));
    assertEquals(FEW_EXCEPTIONS, choice.of(5, false), "which takes no steps");
  }

  @Test
  void learnsFromTheStepsOfRows() {
    int most = choice.mostSteps(80);
    for (int row = 0; row < 30; row++) {
      choice.took(most, true);
    }
    assertEquals(FACTORISATION, choice.of(80, false));
    for (int row = 0; row < 30; row++) {
      choice.took(2, true);
    }
    assertEquals(CONJUGATE_GRADIENTS, choice.of(80, false));
    assertEquals(CONJUGATE_GRADIENTS, choice.of(30, false), "two steps are less than a system");
  }
}
