package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

/** Spark trains what the engine trains on one machine: the same factors. */
class SameBitsTest {
  /** More than a run of groups of users, and a last group that is not full. */
  private static final Positives POSITIVES = Positives.of(8800, 1300, 3);

  @TempDir static Path folder;
  private final SparkSession session = Sessions.local();

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  private static Pecf estimator(int rank) {
    return new Pecf().setRank(rank).setIterations(3).setLambda(0.7);
  }

  /** Train by the engine. */
  private static TrainingResult onOneMachine(int rank, Map<String, String> options)
      throws Exception {
    Training training =
        Training.on(POSITIVES.write(folder.resolve("positives.csv")).toString())
            .split("none")
            .option("backend", "cpu")
            .option("path", "corrected")
            .option("rank", Integer.toString(rank))
            .option("iterations", "3")
            .option("lambda", "0.7");
    options.forEach(training::option);
    return training.run();
  }

  /** Return the factors of a side as Spark trained them, row by row. */
  private static float[][] factors(Dataset<Row> features) {
    return features.sort("id").collectAsList().stream()
        .map(row -> FeatureBlock.floats(row.getList(1)))
        .toArray(float[][]::new);
  }

  private static float[] row(FloatMatrix matrix, int row) {
    float[] floats = new float[matrix.columns()];
    matrix.readRow(row, floats);
    return floats;
  }

  @ParameterizedTest
  @CsvSource({"8, 1", "8, 3", "8, 16", "33, 1", "33, 3", "33, 16", "64, 1", "64, 3", "64, 16"})
  void ofOneFilter(int rank, int blocks) throws Exception {
    PecfModel model =
        estimator(rank)
            .setConstruction("single")
            .setNumBlocks(blocks)
            .fit(POSITIVES.dataset(session));
    try (TrainingResult expected = onOneMachine(rank, Map.of("construction", "single"))) {
      FactorModel member = (FactorModel) expected.ensemble().members().get(0).model();
      for (Side side : Side.values()) {
        float[][] found = factors(side == Side.USERS ? model.userFactors() : model.itemFactors());
        assertEquals(member.side(side).rows(), found.length);
        for (int row = 0; row < found.length; row++) {
          assertArrayEquals(row(member.side(side), row), found[row], side + " " + row);
        }
      }
    }
  }

  /** Return the length of the difference of a member's factors, relative to their length. */
  private static double distance(TrainingResult expected, PecfModel model, int member, Side side) {
    FloatMatrix matrix =
        ((FactorModel) expected.ensemble().members().get(member).model()).side(side);
    float[][] found = factors(side == Side.USERS ? model.userFactors() : model.itemFactors());
    assertEquals(matrix.rows(), found.length);
    int rank = matrix.columns();
    double squares = 0;
    double distance = 0;
    for (int row = 0; row < found.length; row++) {
      float[] one = row(matrix, row);
      for (int c = 0; c < rank; c++) {
        squares += one[c] * one[c];
        distance += Math.pow(one[c] - found[row][member * rank + c], 2);
      }
    }
    return Math.sqrt(distance / squares);
  }

  private static void assertNear(TrainingResult expected, PecfModel model, double most) {
    assertArrayEquals(expected.ensemble().weights(), model.memberWeights(), 1e-15);
    for (int k = 0; k < expected.ensemble().members().size(); k++) {
      for (Side side : Side.values()) {
        double distance = distance(expected, model, k, side);
        assertTrue(distance <= (k == 0 ? 0 : most), side + " of " + k + ": " + distance);
      }
    }
  }

  /**
   * All cells are scanned for zeros that are predicted badly, in the tiles in which the engine
   * scans them: three members, so that weights follow from a mixture.
   */
  @ParameterizedTest
  @CsvSource({"8, 3", "33, 1", "33, 16", "64, 3"})
  void ofScannedMembers(int rank, int blocks) throws Exception {
    Pecf estimator = estimator(rank).setRounds(2).setScaling("unit").setWeightError(0.1);
    PecfModel model = estimator.setNumBlocks(blocks).fit(POSITIVES.dataset(session));
    try (TrainingResult expected =
        onOneMachine(
            rank, Map.of("rounds", "2", "posterior.scaling", "unit", "weight-error", "0.1"))) {
      assertNear(expected, model, 0);
    }
    for (MemberReport report : model.reports().subList(1, 3)) {
      assertTrue(report.hardZeros() > 1000, report.toString());
      assertEquals(0.1, report.weightError(), 1e-3);
      assertTrue(report.ignoredWeight() > 0 && report.ignoredWeight() < 0.1, report.toString());
    }
  }

  /** Sums over all zeros scale the weights to their mean; they are rounded in another order. */
  @Test
  void ofScannedMembersOfTheSameMeanWeight() throws Exception {
    PecfModel model = estimator(33).setRounds(1).setNumBlocks(3).fit(POSITIVES.dataset(session));
    try (TrainingResult expected = onOneMachine(33, Map.of("rounds", "1"))) {
      assertNear(expected, model, 2e-6);
    }
  }

  /**
   * Zeros are not looked at one by one, which the engine is told not to do either. Scores have
   * other last bits, since the engine computes them in tiles of all cells, and sweeps let the
   * difference grow.
   */
  @ParameterizedTest
  @ValueSource(ints = {24, 33})
  void ofReweightedMembers(int rank) throws Exception {
    Pecf estimator = estimator(rank).setRounds(2).setScaling("unit").setHardZeros("none");
    PecfModel model = estimator.setNumBlocks(3).fit(POSITIVES.dataset(session));
    try (TrainingResult expected =
        onOneMachine(
            rank, Map.of("rounds", "2", "posterior.scaling", "unit", "weight-error", "0.95"))) {
      assertNear(expected, model, 2e-6);
    }
    assertTrue(model.reports().get(1).ignoredWeight() > 0);
    assertEquals(0, model.reports().get(1).hardZeros());
  }

  @ParameterizedTest
  @CsvSource({"uniform, none", "dynamic, none", "uniform, scan", "dynamic, scan"})
  void ofReweightedMembersInAnyBlocks(String alpha, String hardZeros) {
    Pecf estimator = estimator(33).setRounds(2).setAlpha(alpha).setHardZeros(hardZeros);
    PecfModel one = estimator.setNumBlocks(1).fit(POSITIVES.dataset(session));
    PecfModel many = estimator.setNumBlocks(16).fit(POSITIVES.dataset(session));
    assertArrayEquals(one.memberWeights(), many.memberWeights(), 0);
    assertTrue(Arrays.deepEquals(factors(one.userFactors()), factors(many.userFactors())), "users");
    assertTrue(Arrays.deepEquals(factors(one.itemFactors()), factors(many.itemFactors())), "items");
  }

  /** The line search on Spark sums over all cells without listing them. */
  @Test
  void ofALineSearch() throws Exception {
    Pecf estimator = estimator(8).setConstruction("bagging").setRounds(1).setAlpha("dynamic");
    double[] found = estimator.fit(POSITIVES.dataset(session)).memberWeights();
    try (TrainingResult expected =
        onOneMachine(8, Map.of("construction", "bagging", "rounds", "1", "alpha", "dynamic"))) {
      assertArrayEquals(expected.ensemble().weights(), found, 1e-4);
    }
  }
}
