package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.TestGrids;

/** The rules for products and inverses of matrices. */
final class MatrixRules {
  private final BackendSessions sessions;
  private final BufferAllocator allocator;

  MatrixRules(BackendSessions sessions) {
    this.sessions = sessions;
    this.allocator = sessions.allocator();
  }

  void multipliesByDefinition() {
    for (int[] orders : new int[][] {{1, 1, 1}, {7, 3, 5}, {600, 2, 9}}) {
      GridShape shape = new GridShape(orders[0], orders[2]);
      try (FactorModel factors = TestGrids.randomModel(allocator, shape, orders[1], 3);
          FloatMatrix right = FloatMatrix.allocate(allocator, orders[1], orders[2]);
          FloatMatrix product = FloatMatrix.allocate(allocator, orders[0], orders[2])) {
        for (int k = 0; k < orders[1]; k++) {
          for (int item = 0; item < orders[2]; item++) {
            right.set(k, item, factors.items().get(item, k));
          }
        }
        sessions.use(
            shape,
            SessionSetup.DENSE,
            session -> {
              session.matrices().multiply(factors.users(), right, product);
            });
        for (int user = 0; user < orders[0]; user++) {
          for (int item = 0; item < orders[2]; item++) {
            assertEquals(factors.scoreAt(user, item), product.get(user, item), 1e-4);
          }
        }
      }
    }
  }

  void invertsToTheIdentity() {
    for (int order : new int[] {1, 7, 65, 130}) {
      double[][] original = positiveDefinite(order);
      double[][] inverse = new double[order][order];
      try (FloatMatrix matrix = matrix(original)) {
        // Only the upper triangle is read.
        for (int row = 1; row < order; row++) {
          matrix.set(row, row - 1, Float.NaN);
        }
        inMatrices(SessionSetup.DENSE, matrix);
        for (int row = 0; row < order; row++) {
          for (int column = 0; column < order; column++) {
            inverse[row][column] = matrix.get(row, column);
            assertEquals(matrix.get(column, row), matrix.get(row, column), "symmetry");
          }
        }
      }
      for (int row = 0; row < order; row++) {
        for (int column = 0; column < order; column++) {
          double product = 0;
          for (int k = 0; k < order; k++) {
            product += original[row][k] * inverse[k][column];
          }
          String what = "order " + order + ": element " + row + ", " + column + " of the product";
          assertEquals(row == column ? 1 : 0, product, sessions.solutionTolerance(), what);
        }
      }
    }
  }

  void refusesToInvertWhatIsNotPositiveDefinite() {
    for (int order : new int[] {1, 2, 7, 65}) {
      for (float last : new float[] {0, -1, Float.NaN}) {
        double[][] wrong = new double[order][order];
        for (int k = 0; k < order; k++) {
          wrong[k][k] = k == order - 1 ? last : 1;
        }
        try (FloatMatrix matrix = matrix(wrong)) {
          inMatrices(SessionSetup.DENSE, matrix);
          fail("inverted a matrix of order " + order + " with " + last + " in its diagonal");
        } catch (PecfException e) {
          assertEquals(ErrorCode.BAD_OPTION, e.code(), e.getMessage());
        }
      }
    }
    try (FloatMatrix matrix = FloatMatrix.allocate(allocator, 2, 3)) {
      inMatrices(SessionSetup.DENSE, matrix);
      fail("inverted a matrix of 2 x 3");
    } catch (IllegalArgumentException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("2 x 3"), e.getMessage());
    }
  }

  private void inMatrices(SessionSetup setup, FloatMatrix matrix) {
    sessions.use(
        new GridShape(3, 2),
        setup,
        session -> {
          session.matrices().invert(matrix);
        });
  }

  /** Return half the identity plus the mean of outer products of normal vectors. */
  static double[][] positiveDefinite(int order) {
    double[][] sum = new double[order][order];
    float[] vector = new float[order];
    for (int k = 0; k < 2 * order; k++) {
      new Seed(order).child("vector", k).fillNormal(vector, 1);
      for (int row = 0; row < order; row++) {
        for (int column = 0; column < order; column++) {
          sum[row][column] += (double) vector[row] * vector[column] / (2 * order);
        }
      }
    }
    for (int row = 0; row < order; row++) {
      sum[row][row] += 0.5;
      for (int column = 0; column < order; column++) {
        sum[row][column] = (float) sum[row][column];
      }
    }
    return sum;
  }

  FloatMatrix matrix(double[][] values) {
    FloatMatrix matrix = FloatMatrix.allocate(allocator, values.length, values.length);
    for (int row = 0; row < values.length; row++) {
      for (int column = 0; column < values.length; column++) {
        matrix.set(row, column, (float) values[row][column]);
      }
    }
    return matrix;
  }
}
