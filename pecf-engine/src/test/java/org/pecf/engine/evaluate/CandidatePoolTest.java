package org.pecf.engine.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Score;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.Split;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** Mixtures measured on their candidates against mixtures that are ranked whole. */
class CandidatePoolTest {
  private static final int USERS = 30;
  private static final int ITEMS = 40;

  private final Fixture fixture = new Fixture();
  private final Random random = new Random(4);

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Return models of few different scores, so that there are ties. */
  private List<CellField> models(int count) {
    List<CellField> models = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      float[][] scores = new float[USERS][ITEMS];
      for (float[] row : scores) {
        for (int item = 0; item < ITEMS; item++) {
          row[item] = random.nextInt(9) / 8f;
        }
      }
      models.add(fixture.scores(scores));
    }
    return models;
  }

  private Split split(Optional<CellPartition> partition) {
    int[][] grid = new int[USERS][ITEMS];
    for (int user = 0; user < USERS; user++) {
      for (int item = 0; item < ITEMS; item++) {
        int part =
            partition.isPresent()
                ? partition.get().partOf(user, item).ordinal()
                : random.nextInt(Part.values().length);
        grid[user][item] = user % 5 == 2 || random.nextInt(4) > 0 ? -1 : part;
      }
    }
    return fixture.split(grid, partition);
  }

  private void assertExact(Split split, CandidatePolicy policy, String metric, int users) {
    MetricKey key = MetricKey.parse(metric);
    List<CellField> models = models(3);
    GridShape shape = new GridShape(USERS, ITEMS);
    try (ComputeSession session = new ReferenceComputeSession(shape, fixture.allocator)) {
      CandidatePool pool =
          new CandidatePool.Source(
                  models.stream().map(field -> ((Score) field).model()).toList(),
                  split.part(Part.VALIDATION),
                  Metrics.of(new EvaluationRequest(List.of(key.cutoff()), policy)),
                  key,
                  session.fields(),
                  new RunContext(
                      fixture.allocator, new DirectParallelism(), () -> false, RunListener.none()))
              .bestOfEach();
      for (double[] weights : new double[][] {{1, 0, 0}, {0.5, 0.25, 0.25}, {0, 3, 1}}) {
        List<Linear.Term> terms = new ArrayList<>();
        for (int k = 0; k < models.size(); k++) {
          terms.add(new Linear.Term((float) weights[k], models.get(k)));
        }
        EvaluationReport report =
            Evaluator.evaluate(
                new Linear(terms),
                split.part(Part.VALIDATION),
                Metrics.of(new EvaluationRequest(List.of(key.cutoff()), policy)),
                new Confidence(1, 0.1f),
                session,
                () -> false);
        assertEquals(report.value(key), pool.measure(weights), 1e-12, metric + " by " + policy);
        assertTrue(report.usersCounted() >= users);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"recall@20", "ndcg@20", "map@20", "mrr@25", "precision@30"})
  void aMixtureIsMeasuredAsIfItWereRanked(String metric) {
    Split split = split(Optional.empty());
    for (CandidatePolicy policy :
        List.of(
            CandidatePolicy.ALL_BUT_TRAINING, CandidatePolicy.ALL_BUT_KNOWN, CandidatePolicy.ALL)) {
      assertExact(split, policy, metric, 20);
    }
  }

  @Test
  void onlyCellsOfThePartAreRankedIfThePolicySaysSo() {
    Split split = split(Optional.of(new CellPartition(4, 3, 1, 1)));
    assertExact(split, CandidatePolicy.PART_CELLS, "recall@4", 10);
  }

  /** One model has its best items in the pool at any depth. */
  @Test
  void aSingleModelIsExactAtAnyDepth() {
    Split split = split(Optional.empty());
    List<CellField> models = models(1);
    GridShape shape = new GridShape(USERS, ITEMS);
    MetricKey key = MetricKey.parse("recall@2");
    try (ComputeSession session = new ReferenceComputeSession(shape, fixture.allocator)) {
      CandidatePool pool =
          new CandidatePool.Source(
                  List.of(((Score) models.get(0)).model()),
                  split.part(Part.VALIDATION),
                  Metrics.of(new EvaluationRequest(List.of(2), CandidatePolicy.ALL_BUT_TRAINING)),
                  key,
                  session.fields(),
                  new RunContext(
                      fixture.allocator, new DirectParallelism(), () -> false, RunListener.none()))
              .bestOfEach();
      EvaluationReport report =
          Evaluator.evaluate(
              models.get(0),
              split.part(Part.VALIDATION),
              Metrics.of(new EvaluationRequest(List.of(2), CandidatePolicy.ALL_BUT_TRAINING)),
              new Confidence(1, 0.1f),
              session,
              () -> false);
      assertEquals(report.value(key), pool.measure(new double[] {2}), 1e-12);
      assertEquals(1, pool.models());
    }
  }
}
