package org.pecf.plugin.wmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;

/** L-EnsNMF beside its stages written out for full matrices. */
class LocalNonNegativeTest {
  private static final GridShape SHAPE = new GridShape(18, 14);
  private static final Seed SEED = new Seed(31);
  private static final int STAGES = 5;
  private static final int RANK = 2;
  private static final int ITERATIONS = 7;

  @Test
  void runsTheStagesOfFullMatrices() {
    try (Planted planted = new Planted(SHAPE, 3, 0.7, 0.1);
        FactorModel model =
            planted.train(
                new LocalNonNegative(new EnsNmfProvider.Options(STAGES, RANK, ITERATIONS)),
                planted.task.weights(),
                SEED)) {
      double[][] expected = slowly(planted.positives);
      for (int user = 0; user < SHAPE.users(); user++) {
        for (int item = 0; item < SHAPE.items(); item++) {
          assertEquals(expected[user][item], model.scoreAt(user, item), 1e-4);
        }
      }
    }
  }

  private static double[][] slowly(SparseCells positives) {
    double[][] left = new double[SHAPE.users()][SHAPE.items()];
    double[][] sum = new double[SHAPE.users()][SHAPE.items()];
    for (int user = 0; user < SHAPE.users(); user++) {
      for (int item = 0; item < SHAPE.items(); item++) {
        left[user][item] = positives.contains(user, item) ? 1 : 0;
      }
    }
    for (int stage = 0; stage < STAGES; stage++) {
      Seed seed = SEED.child("stage", stage);
      int[] anchor = drawn(left, seed.child("anchor").random());
      double[][] near = new double[SHAPE.users()][SHAPE.items()];
      for (int user = 0; user < SHAPE.users(); user++) {
        for (int item = 0; item < SHAPE.items(); item++) {
          near[user][item] =
              left[user][item]
                  * cosine(left[user], left[anchor[0]])
                  * cosine(column(left, item), column(left, anchor[1]));
        }
      }
      double[][] users = random(SHAPE.users(), seed.child("users"));
      double[][] items = random(SHAPE.items(), seed.child("items"));
      for (int sweep = 0; sweep < ITERATIONS; sweep++) {
        improve(near, users, items);
        improve(transposed(near), items, users);
      }
      for (int sweep = 0; sweep < ITERATIONS; sweep++) {
        improve(transposed(left), items, users);
      }
      for (int user = 0; user < SHAPE.users(); user++) {
        for (int item = 0; item < SHAPE.items(); item++) {
          double score = 0;
          for (int f = 0; f < RANK; f++) {
            score += users[user][f] * items[item][f];
          }
          sum[user][item] += score;
          left[user][item] = Math.max(0, left[user][item] - score);
        }
      }
    }
    return sum;
  }

  /** Set each factor of each row in turn to the value that fits best and is not negative. */
  private static void improve(double[][] matrix, double[][] rows, double[][] columns) {
    for (int row = 0; row < rows.length; row++) {
      for (int f = 0; f < RANK; f++) {
        double above = 0;
        double below = 0;
        for (int column = 0; column < columns.length; column++) {
          double others = 0;
          for (int g = 0; g < RANK; g++) {
            others += g == f ? 0 : rows[row][g] * columns[column][g];
          }
          above += columns[column][f] * (matrix[row][column] - others);
          below += columns[column][f] * columns[column][f];
        }
        rows[row][f] = below > 0 ? Math.max(0, above / below) : rows[row][f];
      }
    }
  }

  private static int[] drawn(double[][] left, SplittableRandom random) {
    double rest = random.nextDouble() * Arrays.stream(left).flatMapToDouble(Arrays::stream).sum();
    for (int user = 0; user < SHAPE.users(); user++) {
      for (int item = 0; item < SHAPE.items(); item++) {
        rest -= left[user][item];
        if (rest < 0) {
          return new int[] {user, item};
        }
      }
    }
    throw new AssertionError("nothing is left");
  }

  private static double[][] random(int rows, Seed seed) {
    SplittableRandom random = seed.random();
    double[][] factors = new double[rows][RANK];
    for (double[] row : factors) {
      Arrays.setAll(row, f -> random.nextDouble());
    }
    return factors;
  }

  private static double[] column(double[][] matrix, int item) {
    return Arrays.stream(matrix).mapToDouble(row -> row[item]).toArray();
  }

  private static double[][] transposed(double[][] matrix) {
    double[][] result = new double[matrix[0].length][];
    Arrays.setAll(result, item -> column(matrix, item));
    return result;
  }

  private static double cosine(double[] left, double[] right) {
    double product = 0;
    double one = 0;
    double other = 0;
    for (int k = 0; k < left.length; k++) {
      product += left[k] * right[k];
      one += left[k] * left[k];
      other += right[k] * right[k];
    }
    return one * other > 0 ? product / Math.sqrt(one * other) : 0;
  }

  /** Every stage explains some of what is left, and the anchor's part of the data first. */
  @Test
  void leavesLessWithEveryStage() {
    try (Planted planted = new Planted(SHAPE, 3, 0.8, 0.05)) {
      double before = Double.POSITIVE_INFINITY;
      for (int stages : new int[] {1, 2, 4, 8}) {
        double error = 0;
        try (FactorModel model =
            planted.train(
                new LocalNonNegative(new EnsNmfProvider.Options(stages, 1, 10)),
                planted.task.weights(),
                SEED)) {
          SparseCells cells = planted.positives;
          for (int user = 0; user < SHAPE.users(); user++) {
            for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
              error += Math.max(0, 1 - model.scoreAt(user, cells.itemAt(k)));
            }
          }
        }
        assertTrue(error < before, stages + " stages leave " + error + " after " + before);
        before = error;
      }
    }
  }

  @Test
  void cosinesAreThoseOfRowsAndColumns() {
    try (Planted planted = new Planted(SHAPE, 3, 0.7, 0.1)) {
      SparseCells cells = planted.positives;
      float[] values = new float[cells.count()];
      double[][] full = new double[SHAPE.users()][SHAPE.items()];
      for (int user = 0; user < SHAPE.users(); user++) {
        for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
          values[k] = 0.25f + k % 7;
          full[user][cells.itemAt(k)] = values[k];
        }
      }
      SparseResidual residual = new SparseResidual(cells, values);
      float[] users = new float[SHAPE.users()];
      for (int user = 0; user < users.length; user++) {
        users[user] = (float) cosine(full[user], full[2]);
      }
      assertArrayEquals(users, residual.userCosines(2), 1e-5f);
      float[] items = new float[SHAPE.items()];
      for (int item = 0; item < items.length; item++) {
        items[item] = (float) cosine(column(full, item), column(full, 5));
      }
      assertArrayEquals(items, residual.itemCosines(5), 1e-5f);
    }
  }
}
