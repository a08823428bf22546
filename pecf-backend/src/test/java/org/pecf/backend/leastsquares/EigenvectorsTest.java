package org.pecf.backend.leastsquares;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EigenvectorsTest {
  /** Gramians of full and lower rank, up to the zero matrix. */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 0", "2, 2", "3, 1", "7, 9", "32, 5", "60, 100", "40, 0"})
  void matrixIsMadeOfItsEigenvectors(int order, int rank) {
    Random random = new Random(3);
    double[][] matrix = new double[order][order];
    for (int k = 0; k < rank; k++) {
      double[] vector = random.doubles(order, -1, 1).toArray();
      for (int i = 0; i < order; i++) {
        for (int j = 0; j < order; j++) {
          matrix[i][j] += vector[i] * vector[j];
        }
      }
    }
    assertEigenvectors(matrix);
  }

  @Test
  void signsAndEqualEigenvaluesDoNotMatter() {
    assertEigenvectors(new double[][] {{0, 1}, {1, 0}});
    assertEigenvectors(new double[][] {{2, 0, 0}, {0, -3, 0}, {0, 0, 2}});
    assertEigenvectors(new double[][] {{1, 2, 3}, {2, -4, 1e-9}, {3, 1e-9, 0}});
  }

  @Test
  void whatIsNotANumberHasNone() {
    assertTrue(Eigenvectors.of(new double[][] {{1, Double.NaN}, {Double.NaN, 1}}).isEmpty());
    assertTrue(
        Eigenvectors.of(new double[][] {{1, 2, 3}, {2, Double.POSITIVE_INFINITY, 1}, {3, 1, 1}})
            .isEmpty());
  }

  private static void assertEigenvectors(double[][] matrix) {
    int order = matrix.length;
    double[][] copy = new double[order][];
    double size = 1e-300;
    for (int i = 0; i < order; i++) {
      copy[i] = matrix[i].clone();
      for (double element : matrix[i]) {
        size = Math.max(size, Math.abs(element));
      }
    }
    Eigenvectors found = Eigenvectors.of(copy).orElseThrow();
    for (int i = 0; i < order; i++) {
      for (int j = 0; j < order; j++) {
        double element = 0;
        double product = 0;
        for (int k = 0; k < order; k++) {
          element += found.values()[k] * found.vectors()[k][i] * found.vectors()[k][j];
          product += found.vectors()[i][k] * found.vectors()[j][k];
        }
        assertEquals(matrix[i][j], element, 1e-13 * order * size, "element " + i + ", " + j);
        assertEquals(i == j ? 1 : 0, product, 1e-13 * order, "product " + i + ", " + j);
      }
    }
  }
}
