package org.pecf.backend.base.leastsquares;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.pecf.api.PecfException;
import org.pecf.api.memory.Side;

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
