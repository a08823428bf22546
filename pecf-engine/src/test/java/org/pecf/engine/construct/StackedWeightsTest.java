package org.pecf.engine.construct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.data.Part;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.engine.data.split.MeasuredPart;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.CandidatePool;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** Stacked weights on positives that are drawn by a mixture that is known. */
class StackedWeightsTest {
  private static final int USERS = 400;
  private static final int ITEMS = 60;
  private static final GridShape SHAPE = new GridShape(USERS, ITEMS);
  private static final List<Double> EVEN = List.of(1.0, 1.0, 1.0);

  private final BufferAllocator allocator = new RootAllocator();
  private final Random random = new Random(11);
  private final List<FactorModel> models = new ArrayList<>();

  @AfterEach
  void close() {
    models.forEach(FactorModel::close);
    allocator.close();
  }

  /** Return a model of random factors. */
  private FactorModel model() {
    FactorModel model = FactorModel.allocate(allocator, SHAPE, 4);
    for (int factor = 0; factor < 4; factor++) {
      for (int user = 0; user < USERS; user++) {
        model.users().set(user, factor, (float) random.nextGaussian());
      }
      for (int item = 0; item < ITEMS; item++) {
        model.items().set(item, factor, (float) random.nextGaussian() / 2);
      }
    }
    models.add(model);
    return model;
  }

  /** Draw ten positives a user by the softmax of a mixture. */
  private boolean[][] drawn(double... weights) {
    boolean[][] positives = new boolean[USERS][ITEMS];
    for (int user = 0; user < USERS; user++) {
      double[] chances = new double[ITEMS];
      for (int item = 0; item < ITEMS; item++) {
        double score = 0;
        for (int k = 0; k < weights.length; k++) {
          score += weights[k] * models.get(k).scoreAt(user, item);
        }
        chances[item] = Math.exp(score);
      }
      for (int draw = 0; draw < 10; draw++) {
        double left = random.nextDouble() * Arrays.stream(chances).sum();
        int item = 0;
        while (item < ITEMS - 1 && left > chances[item]) {
          left -= chances[item++];
        }
        positives[user][item] = true;
        chances[item] = 0;
      }
    }
    return positives;
  }

  private double[] fit(boolean[][] positives) {
    return using(positives, source -> StackedWeights.fit(source).weights());
  }

  private <T> T using(boolean[][] positives, Function<CandidatePool.Source, T> use) {
    try (SparseCells none = TestGrids.cellsWhere(allocator, SHAPE, (user, item) -> false);
        SparseCells held =
            TestGrids.cellsWhere(allocator, SHAPE, (user, item) -> positives[user][item]);
        ReferenceComputeSession session = new ReferenceComputeSession(SHAPE, allocator)) {
      MeasuredPart part = new MeasuredPart(Part.VALIDATION, held, List.of(none), Optional.empty());
      return use.apply(
          new CandidatePool.Source(
              models,
              part,
              Metrics.of(new EvaluationRequest(List.of(20), CandidatePolicy.ALL_BUT_TRAINING)),
              MetricKey.parse("ndcg@20"),
              session.fields(),
              new RunContext(allocator, new DirectParallelism(), () -> false, RunListener.none())));
    }
  }

  @Test
  void theMixtureThatDrewThePositivesIsFound() {
    model();
    model();
    model();
    double[] weights = fit(drawn(1, 0.5, -0.5));
    assertArrayEquals(new double[] {0.5, 0.25, -0.25}, weights, 0.03);
    assertEquals(1, Arrays.stream(weights).map(Math::abs).sum(), 1e-12);
  }

  @Test
  void modelsThatSayNothingAreLeftOut() {
    for (int k = 0; k < 6; k++) {
      model();
    }
    double[] weights = fit(drawn(1));
    assertTrue(weights[0] > 0.9, () -> Arrays.toString(weights));
    assertTrue(
        Arrays.stream(weights).filter(weight -> weight == 0).count() >= 3,
        () -> Arrays.toString(weights));
  }

  /** Two copies of a model leave open how they share its weight; one of them is enough. */
  @Test
  void aCopyOfAModelIsLeftOut() {
    FactorModel first = model();
    model();
    boolean[][] positives = drawn(1, 0.5);
    FactorModel copy = FactorModel.allocate(allocator, SHAPE, 4);
    for (int factor = 0; factor < 4; factor++) {
      for (int user = 0; user < USERS; user++) {
        copy.users().set(user, factor, first.users().get(user, factor));
      }
      for (int item = 0; item < ITEMS; item++) {
        copy.items().set(item, factor, first.items().get(item, factor));
      }
    }
    models.add(copy);
    double[] weights = fit(positives);
    assertEquals(0, weights[0] * weights[2]);
    assertEquals(2 / 3.0, weights[0] + weights[2], 0.03);
  }

  /** Scores that do not vary say nothing, and do no harm. */
  @Test
  void aConstantModelHasNoWeight() {
    model();
    boolean[][] positives = drawn(1);
    models.add(FactorModel.allocate(allocator, SHAPE, 4));
    assertArrayEquals(new double[] {1, 0}, fit(positives));
  }

  @Test
  void aSingleModelHasAllTheWeight() {
    model();
    assertArrayEquals(new double[] {1}, fit(drawn(1)));
  }

  @Test
  void theModelThatComplementsAMixtureIsTheNextMember() {
    model();
    model();
    model();
    boolean[][] positives = drawn(1, 0, 0.7);
    NextMember next =
        using(positives, source -> NextMember.of(source, List.of(0), List.of(1.0), EVEN))
            .orElseThrow();
    assertEquals(2, next.model());
    assertTrue(next.helps());
    assertTrue(next.after() > next.before() + 0.02, next.toString());
    assertEquals(0.7, next.weights().get(1) / next.weights().get(0), 0.1);
  }

  @Test
  void aModelThatSaysNothingDoesNotHelp() {
    model();
    model();
    model();
    boolean[][] positives = drawn(1);
    NextMember next =
        using(positives, source -> NextMember.of(source, List.of(0), List.of(1.0), EVEN))
            .orElseThrow();
    assertFalse(next.helps(), next.toString());
    assertTrue(
        using(positives, source -> NextMember.of(source, List.of(0, 1, 2), EVEN, EVEN)).isEmpty());
  }

  /** Of a model and its copy the cheaper one joins. */
  @Test
  void ofModelsThatHelpAlikeTheCheaperJoins() {
    model();
    FactorModel second = model();
    boolean[][] positives = drawn(1, 0.7);
    FactorModel copy = FactorModel.allocate(allocator, SHAPE, 4);
    models.add(copy);
    for (int factor = 0; factor < 4; factor++) {
      for (int user = 0; user < USERS; user++) {
        copy.users().set(user, factor, second.users().get(user, factor));
      }
      for (int item = 0; item < ITEMS; item++) {
        copy.items().set(item, factor, second.items().get(item, factor));
      }
    }
    for (List<Double> work : List.of(List.of(1.0, 2.0, 3.0), List.of(1.0, 3.0, 2.0))) {
      int joined =
          using(positives, source -> NextMember.of(source, List.of(0), List.of(1.0), work))
              .orElseThrow()
              .model();
      assertEquals(work.get(1) < work.get(2) ? 1 : 2, joined);
    }
  }

  /** Pools of all models hold fewer users than those of the mixture, where memory is short. */
  @Test
  void samplesOfUsersDoNotMix() {
    model();
    model();
    model();
    boolean[][] positives = drawn(1, 0, 0.7);
    NextMember next =
        using(
                positives,
                source ->
                    NextMember.of(
                        new CandidatePool.Source(
                            source.models(),
                            source.part(),
                            source.metrics(),
                            source.key(),
                            (long) USERS * 40,
                            source.kernels(),
                            source.run()),
                        List.of(0),
                        List.of(1.0),
                        EVEN))
            .orElseThrow();
    assertEquals(2, next.model());
  }
}
