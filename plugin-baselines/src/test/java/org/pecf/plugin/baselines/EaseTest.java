package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.TrainingStep;
import org.pecf.testkit.fixture.TestGrids;

/** EASE against its closed form, its objective and hand-computed values. */
class EaseTest {
  private final Training training = new Training();

  @AfterEach
  void closeMemory() {
    training.close();
  }

  /** Return B: element (k, j) is the weight of item k for the score of item j. */
  private double[][] weights(double lambda, double[][] ratings) {
    try (SparseCells positives =
            TestGrids.cellsWhere(
                training.allocator,
                Training.shape(ratings),
                (user, item) -> ratings[user][item] > 0);
        FactorModel model =
            training.train(
                new Ease(new EaseOptions(lambda)),
                positives,
                CellField.constant(1),
                new Training.Elements(ratings))) {
      int items = ratings[0].length;
      double[][] weights = new double[items][items];
      for (int k = 0; k < items; k++) {
        for (int j = 0; j < items; j++) {
          weights[k][j] = model.items().get(j, k);
        }
      }
      return weights;
    }
  }

  @Test
  void regressesOneItemOnTheOther() {
    // Counts 3 and 2, together 2: b_01 = 2 / (3 + lambda), b_10 = 2 / (2 + lambda).
    double[][] ratings = {{1, 1}, {1, 1}, {1, 0}, {0, 0}};
    double[][] b = weights(0.5, ratings);
    assertArrayEquals(new double[] {0, 2 / 3.5}, b[0], 1e-6);
    assertArrayEquals(new double[] {2 / 2.5, 0}, b[1], 1e-6);
    double[][] scores = training.scores(new Ease(new EaseOptions(0.5)), ratings);
    assertArrayEquals(new double[] {2 / 2.5, 2 / 3.5}, scores[0], 1e-6);
    assertArrayEquals(new double[] {0, 2 / 3.5}, scores[2], 1e-6);
    assertArrayEquals(new double[] {0, 0}, scores[3], 1e-6);
  }

  @Test
  void followsTheClosedForm() {
    double[][] ratings = {{1, 1, 0, 1}, {1, 0, 1, 0}, {0, 1, 1, 1}, {1, 1, 1, 0}, {0, 0, 0, 1}};
    double lambda = 1.5;
    double[][] p = new double[4][4];
    for (int k = 0; k < 4; k++) {
      p[k][k] = lambda;
      for (int j = 0; j < 4; j++) {
        for (double[] user : ratings) {
          p[k][j] += user[k] * user[j];
        }
      }
    }
    p = adjugateInverse(p);
    double[][] b = weights(lambda, ratings);
    for (int k = 0; k < 4; k++) {
      for (int j = 0; j < 4; j++) {
        assertEquals(k == j ? 0 : -p[k][j] / p[j][j], b[k][j], 1e-5, k + ", " + j);
      }
    }
  }

  /** Invert by cofactors. */
  private static double[][] adjugateInverse(double[][] matrix) {
    int order = matrix.length;
    double determinant = determinant(matrix);
    double[][] inverse = new double[order][order];
    for (int row = 0; row < order; row++) {
      for (int column = 0; column < order; column++) {
        double sign = (row + column) % 2 == 0 ? 1 : -1;
        inverse[column][row] = sign * determinant(minor(matrix, row, column)) / determinant;
      }
    }
    return inverse;
  }

  private static double determinant(double[][] matrix) {
    if (matrix.length == 1) {
      return matrix[0][0];
    }
    double sum = 0;
    for (int column = 0; column < matrix.length; column++) {
      double sign = column % 2 == 0 ? 1 : -1;
      sum += sign * matrix[0][column] * determinant(minor(matrix, 0, column));
    }
    return sum;
  }

  private static double[][] minor(double[][] matrix, int withoutRow, int withoutColumn) {
    int order = matrix.length - 1;
    double[][] rest = new double[order][order];
    for (int row = 0; row < order; row++) {
      for (int column = 0; column < order; column++) {
        rest[row][column] =
            matrix[row < withoutRow ? row : row + 1][column < withoutColumn ? column : column + 1];
      }
    }
    return rest;
  }

  @Test
  void leavesNoGradientOffTheDiagonal() {
    double[][] ratings = Training.random(40, 15, 0.3, 11);
    double lambda = 3;
    double[][] b = weights(lambda, ratings);
    for (int k = 0; k < 15; k++) {
      assertEquals(0, b[k][k], "the diagonal");
      for (int j = 0; j < 15; j++) {
        double gradient = lambda * b[k][j];
        for (double[] user : ratings) {
          gradient -= user[k] * (user[j] - predicted(user, b, j));
        }
        if (k != j) {
          assertEquals(0, gradient, 1e-4, k + ", " + j);
        }
      }
    }
  }

  private static double predicted(double[] user, double[][] b, int item) {
    double sum = 0;
    for (int k = 0; k < user.length; k++) {
      sum += user[k] * b[k][item];
    }
    return sum;
  }

  @Test
  void reportsItsObjective() {
    double[][] ratings = Training.random(40, 15, 0.3, 12);
    double lambda = 3;
    double[][] b = weights(lambda, ratings);
    double objective = 0;
    for (int j = 0; j < 15; j++) {
      for (double[] user : ratings) {
        objective += Math.pow(user[j] - predicted(user, b, j), 2);
      }
      for (int k = 0; k < 15; k++) {
        objective += lambda * b[k][j] * b[k][j];
      }
    }
    TrainingStep step = training.listener.events(TrainingStep.class).get(0);
    assertEquals(objective, step.measures().get("objective"), 1e-3 * objective);
  }

  @Test
  void permutingUsersAndItemsPermutesScores() {
    double[][] ratings = Training.random(23, 13, 0.3, 13);
    int[] users = Training.permutation(23, 7);
    int[] items = Training.permutation(13, 3);
    Ease filter = new Ease(new EaseOptions(2));
    double[][] expected = Training.permuted(training.scores(filter, ratings), users, items);
    double[][] actual = training.scores(filter, Training.permuted(ratings, users, items));
    for (int user = 0; user < 23; user++) {
      assertArrayEquals(expected[user], actual[user], 1e-5);
    }
  }
}
