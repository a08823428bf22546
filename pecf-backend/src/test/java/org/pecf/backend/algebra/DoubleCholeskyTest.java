package org.pecf.backend.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.pecf.api.PecfException;
import org.pecf.api.memory.Side;
import org.pecf.api.run.RunEvent;

class DoubleCholeskyTest {
  private static double solve(double[][] matrix, float[] right, float[] solution) {
    return DoubleCholesky.solve(
        right.length, (i, j) -> matrix[i][j], k -> right[k], (k, x) -> solution[k] = x);
  }

  @Test
  void solvesAndReturnsTheProduct() {
    float[] solution = new float[2];
    double product = solve(new double[][] {{4, 2}, {2, 3}}, new float[] {8, 8}, solution);
    assertArrayEquals(new float[] {1, 2}, solution, 1e-6f);
    assertEquals(24, product, 1e-9);
  }

  @Test
  void singularEquationsGetALargerDiagonalAndAreReported() {
    double[][] singular = {{1, 1, 0}, {1, 1 - 1e-8, 0}, {0, 0, 1}};
    float[] right = {2, 2, 3};
    float[] solution = new float[3];
    UnstableRows rows = new UnstableRows();
    double product =
        rows.solve(
            Side.USERS, 4, 3, (i, j) -> singular[i][j], k -> right[k], (k, x) -> solution[k] = x);
    assertEquals(2, solution[0] + solution[1], 1e-4);
    assertEquals(3, solution[2], 1e-4);
    assertEquals(13, product, 1e-3);
    List<RunEvent> events = new ArrayList<>();
    rows.report(events::add);
    rows.report(events::add);
    assertEquals(1, events.size());
    assertEquals(
        "1 rows had equations that were not positive definite, and got up to 1e-08 of their"
            + " diagonal added; a larger lambda avoids that",
        events.get(0).summary());
  }

  @Test
  void equationsThatNoDiagonalHelpsAreRefused() {
    UnstableRows rows = new UnstableRows();
    for (double[][] matrix :
        new double[][][] {{{1, 2}, {2, 3}}, {{0, 0}, {0, 0}}, {{Double.NaN, 0}, {0, 1}}}) {
      assertThrows(
          PecfException.class,
          () -> rows.solve(Side.ITEMS, 7, 2, (i, j) -> matrix[i][j], k -> 1, (k, x) -> {}));
    }
    rows.report(event -> fail(event.summary()));
  }

  @Test
  void rowsWithoutAStableSolutionAreNamed() {
    double product = solve(new double[][] {{1, 2}, {2, 3}}, new float[] {1, 1}, new float[2]);
    assertEquals(Double.NaN, product);
    PecfException e =
        assertThrows(PecfException.class, () -> DoubleCholesky.checked(product, Side.ITEMS, 7));
    assertEquals(
        "The equations of item 7 have no stable solution: the penalty is too small for these"
            + " weights. Raise lambda.",
        e.getMessage());
    assertEquals(2.5, DoubleCholesky.checked(2.5, Side.USERS, 7));
  }
}
