package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** EASE against its closed form, its objective and hand-computed values. */
class EaseTest {
  private final Training training = new Training();

  @AfterEach
  void closeMemory() {
    training.close();
  }

  private static EaseProvider.Options options(double lambda, double exponent, int neighbours) {
    return new EaseProvider.Options(
        lambda, exponent, neighbours, EaseProvider.Options.Form.DENSE, 100);
  }

  private static Ease filter(double lambda) {
    return new Ease(options(lambda, 0, 1000));
  }

  /** Return B: element (k, j) is the weight of item k for the score of item j. */
  private double[][] weights(double lambda, double[][] ratings) {
    return training.similarities(filter(lambda)::train, ratings);
  }

  @Test
  void regressesOneItemOnTheOther() {
    // Counts 3 and 2, together 2: b_01 = 2 / (3 + lambda), b_10 = 2 / (2 + lambda).
    double[][] ratings = {{1, 1}, {1, 1}, {1, 0}, {0, 0}};
    double[][] b = weights(0.5, ratings);
    assertArrayEquals(new double[] {0, 2 / 3.5}, b[0], 1e-6);
    assertArrayEquals(new double[] {2 / 2.5, 0}, b[1], 1e-6);
    double[][] scores = training.scores(filter(0.5), ratings);
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
    Ease filter = filter(2);
    double[][] expected = Training.permuted(training.scores(filter, ratings), users, items);
    double[][] actual = training.scores(filter, Training.permuted(ratings, users, items));
    for (int user = 0; user < 23; user++) {
      assertArrayEquals(expected[user], actual[user], 1e-5);
    }
  }

  @Test
  void theGramiansOfUsersAndOfItemsGiveTheSameWeights() {
    for (int[] size : new int[][] {{30, 12}, {12, 30}, {17, 17}, {1, 5}, {5, 1}}) {
      double[][] ratings = Training.random(size[0], size[1], 0.3, 20 + size[0]);
      for (double lambda : new double[] {0.5, 3, 100}) {
        for (double exponent : new double[] {0, 0.25}) {
          Ease filter = new Ease(options(lambda, exponent, 1000));
          double[][] byItems =
              training.similarities((t, c) -> filter.train(t, c, Side.ITEMS), ratings);
          double itemsObjective = lastObjective();
          double[][] byUsers =
              training.similarities((t, c) -> filter.train(t, c, Side.USERS), ratings);
          String what = size[0] + " x " + size[1] + ", " + lambda + ", " + exponent;
          for (int k = 0; k < size[1]; k++) {
            assertArrayEquals(byItems[k], byUsers[k], 2e-5, what);
          }
          assertEquals(itemsObjective, lastObjective(), 1e-4 * Math.abs(itemsObjective), what);
        }
      }
    }
  }

  private double lastObjective() {
    List<TrainingStep> steps = training.listener.events(TrainingStep.class);
    return steps.get(steps.size() - 1).measures().get("objective");
  }

  @Test
  void usersCountByTheirActivity() {
    // Users of two, one and one items weigh n^-1; items are shared by the first alone.
    double[][] ratings = {{1, 1}, {1, 0}, {0, 1}};
    double[][] b = training.similarities(new Ease(options(1, 0.5, 9))::train, ratings);
    // Gramian: diagonal 1/2 + 1 + lambda, off it 1/2.
    assertArrayEquals(new double[] {0, 0.5 / 2.5}, b[0], 1e-6);
    assertArrayEquals(new double[] {0.5 / 2.5, 0}, b[1], 1e-6);
  }

  @Test
  void keepsTheStrongestWeightsOfEachItem() {
    double[][] ratings = Training.random(40, 15, 0.3, 14);
    double[][] all = weights(3, ratings);
    double[][] kept = training.similarities(new Ease(options(3, 0, 4))::train, ratings);
    for (int j = 0; j < 15; j++) {
      int item = j;
      double fourth =
          IntStream.range(0, 15).mapToDouble(k -> -Math.abs(all[k][item])).sorted().toArray()[3];
      for (int k = 0; k < 15; k++) {
        double expected = Math.abs(all[k][j]) >= -fourth ? all[k][j] : 0;
        assertEquals(expected, kept[k][j], 1e-6, k + ", " + j);
      }
    }
  }

  private static Ease sparse(double lambda, double exponent, int support) {
    return new Ease(
        new EaseProvider.Options(
            lambda, exponent, 1000, EaseProvider.Options.Form.SPARSE, support));
  }

  @Test
  void theSparseFormIsExactOnAllItems() {
    double[][] ratings = Training.random(40, 15, 0.3, 14);
    double[][] exact = training.similarities(new Ease(options(3, 0.25, 1000))::train, ratings);
    double objective = lastObjective();
    double[][] local = training.similarities(sparse(3, 0.25, 14)::train, ratings);
    for (int k = 0; k < 15; k++) {
      assertArrayEquals(exact[k], local[k], 1e-5);
    }
    assertEquals(objective, lastObjective(), 1e-4 * objective);
    assertEquals(0, excess(), 1e-9, "no item is left out");
  }

  @Test
  void theSparseFormIsTheRegressionOnTheItemsThatHelpMostAlone() {
    double[][] ratings = Training.random(60, 12, 0.3, 15);
    double lambda = 2;
    double exact = objective(weights(lambda, ratings), ratings, lambda);
    double[][] b = training.similarities(sparse(lambda, 0, 2)::train, ratings);
    double least = objective(b, ratings, lambda);
    assertEquals(least, lastObjective(), 1e-4 * least);
    for (int j = 0; j < 12; j++) {
      int item = j;
      int[] best =
          IntStream.range(0, 12)
              .filter(k -> k != item)
              .boxed()
              .sorted(Comparator.comparingDouble(k -> -gain(k, item, ratings, lambda)))
              .limit(2)
              .mapToInt(Integer::intValue)
              .toArray();
      for (int k = 0; k < 12; k++) {
        assertEquals(k == best[0] || k == best[1], b[k][j] != 0, k + " for " + j);
      }
    }
    for (double[] row : b) {
      for (int j = 0; j < 12; j++) {
        double value = row[j];
        for (double step : new double[] {-0.01, 0.01}) {
          row[j] = value == 0 ? 0 : value + step;
          assertTrue(objective(b, ratings, lambda) >= least - 1e-6);
        }
        row[j] = value;
      }
    }
    assertTrue(least - exact <= excess() * least + 1e-6, "the bound on the error");
    assertTrue(least > exact);
  }

  private static double gain(int k, int j, double[][] ratings, double lambda) {
    double together = 0;
    double own = 0;
    for (double[] user : ratings) {
      together += user[k] * user[j];
      own += user[k];
    }
    return together * together / (own + lambda);
  }

  private static double objective(double[][] b, double[][] ratings, double lambda) {
    double objective = 0;
    for (int j = 0; j < b.length; j++) {
      for (double[] user : ratings) {
        objective += Math.pow(user[j] - predicted(user, b, j), 2);
      }
      for (double[] row : b) {
        objective += lambda * row[j] * row[j];
      }
    }
    return objective;
  }

  private double excess() {
    List<TrainingStep> steps = training.listener.events(TrainingStep.class);
    return steps.get(steps.size() - 1).measures().get("excess");
  }

  @Test
  void takesTheSparseFormWhereTheDenseOneDoesNotFit() {
    double[][] ratings = new double[600][700];
    for (int user = 0; user < 600; user++) {
      ratings[user][user % 600] = 1;
      ratings[user][(user + 1) % 700] = 1;
    }
    Ease auto = new Ease(new EaseProvider.Options(3, 0, 5, EaseProvider.Options.Form.AUTO, 5));
    double[][] roomy = training.similarities(auto::train, ratings);
    assertTrue(training.listener.events(TrainingStep.class).get(0).measures().size() == 1);
    double[][] expected = training.similarities(sparse(3, 0, 5)::train, ratings);
    try (SparseCells cells =
            TestGrids.cellsWhere(
                training.allocator,
                new GridShape(600, 700),
                (user, item) -> ratings[user][item] > 0);
        BufferAllocator small = training.allocator.newChildAllocator("small", 0, 1 << 20);
        ReferenceComputeSession session =
            new ReferenceComputeSession(new GridShape(600, 700), training.allocator)) {
      RunContext run =
          new RunContext(small, new DirectParallelism(), () -> false, training.listener);
      TrainingTask task =
          new TrainingTask(
              new GridShape(600, 700),
              cells,
              CellField.constant(1),
              CellField.observed(cells, 1, 0),
              Optional.empty());
      try (SparseProductModel model =
          (SparseProductModel) auto.train(task, new TrainingContext(run, session, new Seed(1)))) {
        assertEquals(expected[0][1], model.right().get(0, 1));
        assertEquals(roomy[0][1], model.right().get(0, 1), 0.01);
      }
    }
  }

  @Test
  void refusesWhatDoesNotFitWithTheFigures() {
    try (SparseCells none =
            SparseCells.ofSorted(training.allocator, 3000, 3000, 0, new int[0], new int[0]);
        BufferAllocator small = training.allocator.newChildAllocator("small", 0, 30 << 20)) {
      TrainingTask task =
          new TrainingTask(
              new GridShape(3000, 3000),
              none,
              CellField.constant(1),
              CellField.constant(0),
              Optional.empty());
      RunContext run =
          new RunContext(small, new DirectParallelism(), () -> false, training.listener);
      try (ReferenceComputeSession session =
          new ReferenceComputeSession(task.shape(), training.allocator)) {
        PecfException e =
            assertThrows(
                PecfException.class,
                () ->
                    new Ease(options(3, 0, 100))
                        .train(task, new TrainingContext(run, session, new Seed(1))));
        assertEquals(ErrorCode.RESOURCES, e.code());
        // 3000^2 floats, 2 * 3000 * 100 entries of 8 bytes, and the starts of rows.
        assertTrue(e.getMessage().startsWith("ease takes 38 MiB for 3000 users"), e.getMessage());
      }
    }
  }
}
