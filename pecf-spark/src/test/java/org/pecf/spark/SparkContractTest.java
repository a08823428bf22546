package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.memory.GridShape;
import org.pecf.testkit.contract.ComputeBackendContract;
import org.pecf.testkit.fixture.SessionBackend;

/**
 * The contract of backends, as far as Spark has a counterpart: half-sweeps and lists are jobs. The
 * other rules are listed in docs/spark.md, and here.
 */
class SparkContractTest extends ComputeBackendContract {
  private static final String FIELDS =
      "the weights of Spark are plain or posterior; no other field is evaluated in executors";
  private static final String MATRICES = "no filter on Spark inverts matrices";
  private static final String PAIRWISE = "no filter on Spark is trained pairwise";

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  @Override
  protected ComputeBackendProvider<?> provider() {
    return new SessionBackend(
        "spark-in-tests", "the half-sweeps and lists of Spark", SparkComputeSession::new);
  }

  /** More than one block of 512 rows on both sides. */
  @Override
  protected GridShape tiledShape() {
    return new GridShape(520, 530);
  }

  /** A rule is run, or the reason why not stands here and in the documentation. */
  @Test
  void everyRuleIsRunOrListedWithTheReason() throws Exception {
    Map<String, String> expected = new TreeMap<>();
    for (Method rule : ComputeBackendContract.class.getDeclaredMethods()) {
      if (rule.isAnnotationPresent(Test.class)) {
        Method run = SparkContractTest.class.getMethod(rule.getName());
        if (!run.isAnnotationPresent(Test.class)) {
          expected.put(rule.getName(), run.getAnnotation(NoCounterpart.class).value());
        }
      }
    }
    List<String> lines = Files.readAllLines(Path.of("../docs/spark.md"));
    Pattern row = Pattern.compile("\\| `(\\w+)` \\| (.+) \\|");
    Map<String, String> listed = new TreeMap<>();
    for (String line : lines) {
      Matcher matcher = row.matcher(line);
      if (matcher.matches()) {
        listed.put(matcher.group(1), matcher.group(2));
      }
    }
    assertEquals(expected, listed);
  }

  @Override
  @NoCounterpart(FIELDS)
  public void fillsTilesByDefinition() {}

  @Override
  @NoCounterpart(FIELDS)
  public void gathersByDefinition() {}

  @Override
  @NoCounterpart(FIELDS)
  public void sumsByDefinition() {}

  @Override
  @NoCounterpart(MATRICES)
  public void multipliesByDefinition() {}

  @Override
  @NoCounterpart(MATRICES)
  public void invertsToTheIdentity() {}

  @Override
  @NoCounterpart(MATRICES)
  public void refusesToInvertWhatIsNotPositiveDefinite() {}

  @Override
  @NoCounterpart(PAIRWISE)
  public void stepsDownThePairwiseGradient() {}

  @Override
  @NoCounterpart(PAIRWISE)
  public void drawsPositivesByTheirWeights() {}

  @Override
  @NoCounterpart(PAIRWISE)
  public void drawsNegativesByPopularity() {}

  @Override
  @NoCounterpart(PAIRWISE)
  public void drawsNegativesFromAllAllowedCellsAndNoOthers() {}

  @Override
  @NoCounterpart(PAIRWISE)
  public void learnsToRankPlantedGroups() {}

  @Override
  @NoCounterpart(PAIRWISE)
  public void trainsPairwiseOnDegenerateGrids() {}

  @Override
  @NoCounterpart(PAIRWISE)
  public void pairwiseEpochsDependOnTheirNumberAndTheRequestAlone() {}

  @Override
  @NoCounterpart(
      "it reads weights off targets of one on every cell, and zeros have targets of zero on Spark;"
          + " `HardZerosTest` checks them")
  public void keepsWeightErrorsWithinTheReportedBound() {}

  @Override
  @NoCounterpart("every zero is a training cell on Spark")
  public void keepsHeldOutCellsOutOrCountsThemByExpectation() {}

  @Override
  @NoCounterpart("nothing is announced on Spark")
  public void answersAlikeWhateverItKeeps() {}

  @Override
  @NoCounterpart(
      "it runs kernels that Spark does not have; `SameBitsTest` checks any number of blocks")
  public void givesTheSameBitsAtAnyThreadCountAndTaskOrder() {}

  @Override
  @NoCounterpart("Spark cancels jobs itself")
  public void endsWithCancelledWhenAskedToStop() {}

  @Override
  @NoCounterpart(FIELDS)
  public void passesOnTheFailuresOfHostFields() {}

  @Override
  @NoCounterpart("memory is that of Spark's executors")
  public void refusesWhatDoesNotFitWithAFigure() {}

  @Override
  @NoCounterpart("factors are made on Spark, of the shape and the rank of the training")
  public void refusesFactorsThatItMustNotSolve() {}
}
