package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.PecfException;

/** Zeros that the ensemble predicts badly are found, and the weight of the others is bounded. */
class HardZerosTest {
  private static final Positives POSITIVES = Positives.of(900, 1100, 6);
  private static final int RANK = 9;

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  @Test
  void gridsAreScannedUpToALimit() {
    assertTrue(TrainingSettings.HardZeros.AUTO.scans(1e12));
    assertFalse(TrainingSettings.HardZeros.AUTO.scans(1.01e12));
    assertTrue(TrainingSettings.HardZeros.SCAN.scans(1e15));
    assertFalse(TrainingSettings.HardZeros.NONE.scans(1));
    assertEquals(TrainingSettings.HardZeros.SCAN, TrainingSettings.HardZeros.named("scan"));
    assertThrows(PecfException.class, () -> TrainingSettings.HardZeros.named("some"));
  }

  private static PecfModel train(String hardZeros, String scaling, double weightError) {
    return new Pecf()
        .setRank(RANK)
        .setRounds(1)
        .setIterations(3)
        .setLambda(0.5)
        .setNumBlocks(3)
        .setScaling(scaling)
        .setHardZeros(hardZeros)
        .setWeightError(weightError)
        .fit(POSITIVES.dataset(Sessions.local()));
  }

  /** The scores of the first member at all cells, in double precision. */
  private static double[][] scores(PecfModel model) {
    List<Row> users = model.userFactors().sort("id").collectAsList();
    List<Row> items = model.itemFactors().sort("id").collectAsList();
    double[][] scores = new double[users.size()][items.size()];
    for (int user = 0; user < scores.length; user++) {
      float[] left = FeatureBlock.floats(users.get(user).getList(1));
      for (int item = 0; item < scores[user].length; item++) {
        float[] right = FeatureBlock.floats(items.get(item).getList(1));
        for (int k = 0; k < RANK; k++) {
          scores[user][item] += (double) left[k] * right[k];
        }
      }
    }
    return scores;
  }

  private static Set<Long> positives(PecfModel model) {
    List<Long> users =
        model.userFactors().sort("id").collectAsList().stream().map(row -> row.getLong(0)).toList();
    List<Long> items =
        model.itemFactors().sort("id").collectAsList().stream().map(row -> row.getLong(0)).toList();
    Set<Long> cells = new HashSet<>();
    for (int[] cell : POSITIVES.cells()) {
      cells.add(
          (long) users.indexOf((long) cell[0]) * items.size() + items.indexOf((long) cell[1]));
    }
    return cells;
  }

  /** Return the weight of a zero by its definition, relative to that of a perfect prediction. */
  private static double weight(double score) {
    return 11 / (1 + 10 * Math.exp(-score * score));
  }

  /** All zeros beyond the bound are found, and no others; within it no weight is further off. */
  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.25})
  void zerosBeyondTheBoundAreFound(double weightError) {
    PecfModel model = train("scan", "unit", weightError);
    MemberReport report = model.reports().get(1);
    double[][] scores = scores(model);
    Set<Long> positives = positives(model);
    assertEquals(POSITIVES.cells().size(), positives.size());
    double bound = report.scoreBound();
    int surely = 0;
    int perhaps = 0;
    double off = 0;
    double ignored = 0;
    double whole = 0;
    for (int user = 0; user < scores.length; user++) {
      for (int item = 0; item < scores[user].length; item++) {
        double score = Math.abs(scores[user][item]);
        if (positives.contains((long) user * scores[user].length + item)) {
          double error = 1 - scores[user][item];
          whole += weight(error);
          continue;
        }
        surely += score > bound + 1e-5 ? 1 : 0;
        perhaps += score > bound - 1e-5 ? 1 : 0;
        whole += 0.01 * weight(score);
        if (score <= bound) {
          off = Math.max(off, 1 - 1 / weight(score));
          ignored += 0.01 * (weight(score) - 1);
        }
      }
    }
    assertTrue(surely > 100, "zeros beyond the bound: " + surely);
    assertTrue(
        report.hardZeros() >= surely && report.hardZeros() <= perhaps,
        surely + " to " + perhaps + ", found " + report.hardZeros());
    assertEquals(weightError, report.weightError(), 1e-4);
    assertTrue(off <= report.weightError() + 1e-5, "a weight is off by " + off);
    assertTrue(
        ignored / whole <= report.ignoredWeight() && report.ignoredWeight() <= 3 * ignored / whole,
        ignored / whole + " of all weight is ignored, bounded by " + report.ignoredWeight());
  }

  /** The weights of all cells keep their sum, to which every zero contributes. */
  @Test
  void theMeanWeightIsThatOfAllCells() {
    PecfModel model = train("scan", "mean", 0.25);
    double[][] scores = scores(model);
    Set<Long> positives = positives(model);
    double plain = 0;
    double raw = 0;
    for (int user = 0; user < scores.length; user++) {
      for (int item = 0; item < scores[user].length; item++) {
        boolean positive = positives.contains((long) user * scores[user].length + item);
        double confidence = positive ? 1 : 0.01f;
        plain += confidence;
        raw += confidence * weight((positive ? 1 : 0) - scores[user][item]) / 11;
      }
    }
    assertEquals(
        plain / raw, model.reports().get(1).weighting().orElseThrow().scale(), 1e-5 * plain / raw);
  }

  /** Without a scan the bound on the ignored weight holds for all zeros. */
  @Test
  void withoutAScanTheIgnoredWeightIsBounded() {
    PecfModel model = train("none", "unit", 0.25);
    MemberReport report = model.reports().get(1);
    assertEquals(0, report.hardZeros());
    assertEquals(Double.POSITIVE_INFINITY, report.scoreBound());
    assertTrue(report.toString().contains("zeros not scanned"), report.toString());
    assertTrue(
        report.ignoredWeight() > train("scan", "unit", 0.25).reports().get(1).ignoredWeight());
  }
}
