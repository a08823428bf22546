package org.pecf.engine.construct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.pecf.api.PecfException;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;
import org.pecf.engine.construct.ConstructionEvent.EmIteration;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.RecordingListener;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** Expectation maximisation: its likelihood, its mixture, its starts. */
class EmLoopTest {
  private static final GridShape SHAPE = new GridShape(14, 11);
  private static final double LAMBDA = 0.3;

  private final RootAllocator root = new RootAllocator();
  private final RecordingListener listener = new RecordingListener();

  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** One sweep of weighted least squares from wherever it starts. */
  private static final class Sweep implements BaseFilter {
    private final List<Double> weights = new ArrayList<>();

    @Override
    public Set<FilterCapability> capabilities() {
      return EnumSet.allOf(FilterCapability.class);
    }

    @Override
    public long memoryEstimate(GridShape shape, int positives) {
      return 0;
    }

    @Override
    public double penalty(ScoreModel model) {
      FactorModel factors = (FactorModel) model;
      return LAMBDA / 2 * (squares(factors.users()) + squares(factors.items()));
    }

    private static double squares(FloatMatrix matrix) {
      double total = 0;
      for (int row = 0; row < matrix.rows(); row++) {
        for (int column = 0; column < matrix.columns(); column++) {
          total += Math.pow(matrix.get(row, column), 2);
        }
      }
      return total;
    }

    @Override
    public ScoreModel train(TrainingTask task, TrainingContext context) {
      weights.add(context.compute().fields().sums(List.of(task.weights()))[0]);
      FactorModel factors = FactorModel.allocate(context.run().allocator(), task.shape(), 2);
      float[] items = new float[task.shape().items() * 2];
      if (task.start().isPresent()) {
        ((FactorModel) task.start().get()).items().readRows(0, task.shape().items(), items);
      } else {
        context.seed().fillNormal(items, 0.5);
      }
      factors.items().writeRows(0, task.shape().items(), items);
      LeastSquaresRequest request =
          new LeastSquaresRequest(task.weights(), task.targets(), 2, new Ridge(LAMBDA, LAMBDA, 0));
      try (LeastSquares problem = context.compute().leastSquares(request)) {
        problem.solve(Side.USERS, factors);
        problem.solve(Side.ITEMS, factors);
      }
      return factors;
    }
  }

  private BuildResult build(EmSettings settings, BaseFilter filter) {
    try (SparseCells training = TestGrids.planted(root, SHAPE, 3, 0.8, 0.1, 5);
        ReferenceComputeSession session = new ReferenceComputeSession(SHAPE, root)) {
      BuildPlan plan =
          new BuildPlan(
              Construction.EM,
              List.of(new BuildPlan.NamedFilter("sweep", filter)),
              (state, kernels) -> state.confidence(),
              (step, kernels) -> 0,
              0,
              0,
              MetricKey.parse("recall@3"),
              Metrics.of(new EvaluationRequest(List.of(3), CandidatePolicy.ALL_BUT_TRAINING)));
      TrainingCells cells = new TrainingCells(training, Optional.empty(), new Confidence(1, 0.2f));
      TrainingContext context =
          new TrainingContext(
              new RunContext(root, new DirectParallelism(), () -> false, listener),
              session,
              new Seed(2));
      return EmLoop.build(plan, settings, cells, context, LoopCheckpoint.none());
    }
  }

  @ParameterizedTest
  @CsvSource({"RANDOM, 0.3", "L2BOOST, 0.3", "RANDOM,", "L2BOOST,"})
  void thePenalisedLikelihoodNeverFalls(EmSettings.Start start, Double fixed) {
    OptionalDouble deviation = fixed == null ? OptionalDouble.empty() : OptionalDouble.of(fixed);
    EmSettings settings = new EmSettings(3, start, deviation, 12, 0);
    build(settings, new Sweep()).ensemble().close();
    List<EmIteration> iterations = listener.events(EmIteration.class);
    assertTrue(iterations.size() >= 3, "EM stopped at once: " + iterations);
    for (int k = 1; k < iterations.size(); k++) {
      double before = iterations.get(k - 1).logLikelihood();
      double after = iterations.get(k).logLikelihood();
      assertTrue(after >= before - 1e-4 * Math.abs(before), before + " fell to " + after);
      assertTrue(fixed == null || fixed == iterations.get(k).deviation());
    }
    double first = iterations.get(0).logLikelihood();
    double last = iterations.get(iterations.size() - 1).logLikelihood();
    assertTrue(last > first + 0.01 * Math.abs(first), "no progress: " + first + " to " + last);
  }

  @ParameterizedTest
  @EnumSource(EmSettings.Start.class)
  void weightsAreTheEstimatedPriors(EmSettings.Start start) {
    EmSettings settings = new EmSettings(3, start, OptionalDouble.empty(), 4, 0);
    BuildResult result = build(settings, new Sweep());
    List<EmIteration> iterations = listener.events(EmIteration.class);
    EmIteration last = iterations.get(iterations.size() - 1);
    double[] weights = result.ensemble().weights();
    result.ensemble().close();
    assertEquals(1, Arrays.stream(weights).sum(), 1e-9);
    for (int k = 0; k < weights.length; k++) {
      assertEquals(last.priors().get(k), weights[k], 1e-12);
      assertTrue(weights[k] > 0);
    }
    assertTrue(last.deviation() > 0 && last.deviation() < 1, "deviation " + last.deviation());
  }

  /** A filter's penalty is as strong for its part of the cells as it is for one filter of all. */
  @Test
  void componentsAreTrainedOnTheWeightOfAllCellsOnAverage() {
    Sweep alone = new Sweep();
    build(new EmSettings(1, EmSettings.Start.RANDOM, OptionalDouble.of(0.3), 1, 0), alone)
        .ensemble()
        .close();
    Sweep three = new Sweep();
    BuildResult result =
        build(new EmSettings(3, EmSettings.Start.RANDOM, OptionalDouble.of(0.3), 2, 0), three);
    assertEquals(6, three.weights.size());
    for (int iteration = 0; iteration < 2; iteration++) {
      assertEquals(
          alone.weights.get(0),
          three.weights.subList(3 * iteration, 3 * iteration + 3).stream()
              .mapToDouble(Double::doubleValue)
              .average()
              .orElseThrow(),
          1e-3);
    }
    assertEquals(
        new Confidence(3, 0.6f),
        result.ensemble().members().get(0).fit().orElseThrow().confidence(),
        "new users are fitted by the same weights");
    result.ensemble().close();
  }

  @Test
  void oneComponentIsOneFilterTrainedOn() {
    BuildResult result =
        build(
            new EmSettings(1, EmSettings.Start.RANDOM, OptionalDouble.of(0.5), 3, 0), new Sweep());
    assertEquals(1, result.ensemble().weights()[0], 1e-12);
    result.ensemble().close();
  }

  @Test
  void refusesFiltersThatCannotGoOn() {
    BaseFilter cold =
        new BaseFilter() {
          @Override
          public Set<FilterCapability> capabilities() {
            return Set.of(FilterCapability.CELL_WEIGHTS);
          }

          @Override
          public long memoryEstimate(GridShape shape, int positives) {
            return 0;
          }

          @Override
          public ScoreModel train(TrainingTask task, TrainingContext context) {
            throw new IllegalStateException("must not be reached");
          }
        };
    PecfException problem =
        assertThrows(PecfException.class, () -> build(EmSettings.DEFAULT, cold));
    assertTrue(problem.getMessage().contains("filter sweep"), problem.getMessage());
  }
}
