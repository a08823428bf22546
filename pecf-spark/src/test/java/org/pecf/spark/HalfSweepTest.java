package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.memory.Side;
import org.pecf.backend.leastsquares.EquationBasis;
import scala.Tuple2;

/** The rows of a half-sweep are those that others find from the same other side. */
class HalfSweepTest {
  private static final Positives POSITIVES = Positives.of(1200, 640, 8);

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  /** Solve all rows of a side from the other. */
  private static float[] solve(SideProblem problem, WeightedBlock block, float[] others) {
    CellBlock cells = block.cells();
    int rank = problem.rank();
    FactorBlock fixed = new FactorBlock(0, others, 0, 0);
    double[] triangle =
        GroupSums.total(List.of(HalfSweep.gramians(fixed, rank, others.length / rank)));
    EquationBasis basis =
        TaskAlgebra.run(
            (memory, worker) ->
                EquationBasis.of(
                    memory, worker, rank, triangle, problem.background(), problem.lambda()));
    float[] whitened = HalfSweep.whitened(fixed, basis);
    float[] sent = new float[cells.needed().length * rank];
    for (int k = 0; k < cells.needed().length; k++) {
      System.arraycopy(whitened, cells.needed()[k] * rank, sent, k * rank, rank);
    }
    return HalfSweep.solve(
            List.of(new Tuple2<>(0, new HalfSweep.RowMessage(0, sent))).iterator(),
            block,
            basis,
            problem)
        .rows();
  }

  /** Return the numbers from 0 of ids in ascending order. */
  private static TreeMap<Integer, Integer> numbers(int column) {
    TreeMap<Integer, Integer> numbers = new TreeMap<>();
    POSITIVES.cells().forEach(cell -> numbers.put(cell[column], 0));
    int next = 0;
    for (var entry : numbers.entrySet()) {
      entry.setValue(next++);
    }
    return numbers;
  }

  private static CellBlock byUser() {
    TreeMap<Integer, Integer> users = numbers(0);
    TreeMap<Integer, Integer> items = numbers(1);
    return CellBlock.of(
        0,
        users.size(),
        POSITIVES.cells().stream()
            .mapToLong(cell -> CellBlock.cell(users.get(cell[0]), items.get(cell[1])))
            .toArray());
  }

  private static float[] factors(Dataset<Row> features, int rank) {
    List<Row> rows = features.sort("id").collectAsList();
    float[] factors = new float[rows.size() * rank];
    for (int k = 0; k < rows.size(); k++) {
      System.arraycopy(FeatureBlock.floats(rows.get(k).getList(1)), 0, factors, k * rank, rank);
    }
    return factors;
  }

  /**
   * MLlib solves users last, from the items that its model has. Its confidence is 1 + alpha for
   * positives and 1 for zeros, and its penalty is regParam times the row's positives, where ours is
   * lambda / 2: so a row of n positives has lambda = 2 n regParam.
   */
  @ParameterizedTest
  @ValueSource(ints = {8, 33, 64})
  void mllibFindsTheSameUsers(int rank) {
    double regParam = 1;
    int alpha = 19;
    ALSModel model =
        new ALS()
            .setImplicitPrefs(true)
            .setRank(rank)
            .setMaxIter(3)
            .setAlpha(alpha)
            .setRegParam(regParam)
            .setSeed(1)
            .fit(POSITIVES.dataset(Sessions.local()));
    float[] expected = factors(model.userFactors(), rank);
    float[] items = factors(model.itemFactors(), rank);
    CellBlock cells = byUser();
    double squares = 0;
    double distance = 0;
    Set<Integer> counts = new HashSet<>();
    for (int row = 0; row < cells.rows(); row++) {
      counts.add(cells.start(row + 1) - cells.start(row));
    }
    assertTrue(counts.size() > 8, "users with different numbers of positives");
    for (int count : counts) {
      SideProblem problem =
          new SideProblem(
              Side.USERS, rank, items.length / rank, 1, 1 + alpha, 2 * count * regParam, 0, 0);
      float[] found = solve(problem, WeightedBlock.plain(cells), items);
      for (int row = 0; row < cells.rows(); row++) {
        if (cells.start(row + 1) - cells.start(row) == count) {
          for (int k = row * rank; k < (row + 1) * rank; k++) {
            squares += expected[k] * expected[k];
            distance += Math.pow(found[k] - expected[k], 2);
          }
        }
      }
    }
    double relative = Math.sqrt(distance / squares);
    assertTrue(relative <= 1e-6, "" + relative);
  }

  /** Re-weighted rows solve the normal equations over all cells, in double. */
  @ParameterizedTest
  @ValueSource(ints = {8, 33, 64})
  void everyCellOfReweightedRowsCounts(int rank) {
    CellBlock cells = byUser();
    int itemCount = cells.needed().length;
    SplittableRandom random = new SplittableRandom(3);
    float[] items = new float[itemCount * rank];
    for (int k = 0; k < items.length; k++) {
      items[k] = (float) (random.nextDouble() - 0.4) / rank;
    }
    float[] scores = new float[cells.count()];
    for (int p = 0; p < scores.length; p++) {
      scores[p] = (float) (1.2 * random.nextDouble());
    }
    ScoredBlock scored = ScoredBlock.ofPositives(cells, scores);
    ScoredBlock.CellFactors factors =
        new ScoredBlock.CellFactors(
            new Weighting(10, 1, Weighting.Scaling.UNIT).function(11), 1, 0.1f);
    WeightedBlock block = scored.weighted(factors);
    float[] weights = scored.weights(factors);
    SideProblem problem =
        new SideProblem(Side.USERS, rank, itemCount, 0.01, 1, 0.02, 1, 0).withMeanPower(5);
    float[] found = solve(problem, block, items);
    double[] penalties = problem.penalties(block);
    double difference = 0;
    for (int row = 0; row < cells.rows(); row += 7) {
      double[] expected = dense(problem, cells, weights, items, row, penalties[row]);
      double length = 0;
      double distance = 0;
      for (int k = 0; k < rank; k++) {
        length += expected[k] * expected[k];
        distance += Math.pow(found[row * rank + k] - expected[k], 2);
      }
      difference = Math.max(difference, Math.sqrt(distance / length));
    }
    assertTrue(difference <= 2e-6, "" + difference);
  }

  /** Solve one row from all of its cells, zeros included. */
  private static double[] dense(
      SideProblem problem,
      CellBlock cells,
      float[] weights,
      float[] items,
      int row,
      double penalty) {
    int rank = problem.rank();
    double[] all = new double[items.length / rank];
    Arrays.fill(all, problem.background());
    double[][] matrix = new double[rank][rank + 1];
    for (int p = cells.start(row); p < cells.start(row + 1); p++) {
      int item = cells.needed()[cells.place(p)];
      all[item] = weights[p];
      for (int k = 0; k < rank; k++) {
        matrix[k][rank] += (double) weights[p] * items[item * rank + k];
      }
    }
    for (int item = 0; item < all.length; item++) {
      for (int a = 0; a < rank; a++) {
        for (int b = 0; b < rank; b++) {
          matrix[a][b] += all[item] * items[item * rank + a] * items[item * rank + b];
        }
      }
    }
    for (int k = 0; k < rank; k++) {
      matrix[k][k] += penalty / 2;
    }
    return eliminate(matrix);
  }

  /** Solve equations whose matrix is positive definite; the last column is the right side. */
  private static double[] eliminate(double[][] matrix) {
    int order = matrix.length;
    for (int k = 0; k < order; k++) {
      for (int row = 0; row < order; row++) {
        double factor = row == k ? 0 : matrix[row][k] / matrix[k][k];
        for (int c = k; c <= order && factor != 0; c++) {
          matrix[row][c] -= factor * matrix[k][c];
        }
      }
    }
    double[] solution = new double[order];
    for (int k = 0; k < order; k++) {
      solution[k] = matrix[k][order] / matrix[k][k];
    }
    return solution;
  }
}
