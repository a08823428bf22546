package org.pecf.plugin.bpr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;
import org.pecf.engine.construct.BuildPlan;
import org.pecf.engine.construct.BuildResult;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.LoopCheckpoint;
import org.pecf.engine.construct.ProgressiveLoop;
import org.pecf.engine.construct.TrainingCells;
import org.pecf.engine.construct.Validation;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.plugin.backend.cpu.CpuBackendProvider;
import org.pecf.plugin.wmf.WmfProvider;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.RecordingListener;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.fixture.ThreadedParallelism;

/** Bayesian personalised ranking on the CPU backend, alone and in an ensemble. */
class PersonalisedRankingTest {
  private static final GridShape SHAPE = new GridShape(150, 130);
  private static final int GROUPS = 5;

  private final RootAllocator root = new RootAllocator();
  private final RecordingListener listener = new RecordingListener();

  @AfterEach
  void closeMemory() {
    root.close();
  }

  private static BaseFilter filter(String... keysAndValues) {
    Map<String, String> texts = new HashMap<>(Map.of("rank", "8", "learning-rate", "0.1"));
    for (int k = 0; k < keysAndValues.length; k += 2) {
      texts.put(keysAndValues[k], keysAndValues[k + 1]);
    }
    return filter(new BprProvider(), texts);
  }

  private static <O extends Record> BaseFilter filter(
      BaseFilterProvider<O> provider, Map<String, String> texts) {
    return provider.create(provider.options().bind(provider.describe().id(), texts));
  }

  private ComputeSession session(Parallelism parallelism) {
    return session(new CpuBackendProvider(), parallelism);
  }

  private <O extends Record> ComputeSession session(
      ComputeBackendProvider<O> provider, Parallelism parallelism) {
    return provider
        .create(provider.options().bind("cpu", Map.of()))
        .open(
            new SessionContext(
                new RunContext(root, parallelism, () -> false, RunListener.none()),
                SHAPE,
                ComputationPath.DENSE,
                0));
  }

  private SparseCells planted() {
    return TestGrids.planted(root, SHAPE, GROUPS, 0.5, 0.02, 7);
  }

  private FactorModel train(
      BaseFilter filter, SparseCells positives, CellField weights, Parallelism parallelism) {
    TrainingTask task =
        new TrainingTask(
            SHAPE, positives, weights, CellField.observed(positives, 1, 0), Optional.empty());
    try (ComputeSession session = session(parallelism)) {
      return (FactorModel)
          filter.train(
              task,
              new TrainingContext(
                  new RunContext(root, parallelism, () -> false, listener), session, new Seed(3)));
    }
  }

  private static float[] scores(FactorModel model) {
    float[] scores = new float[(int) SHAPE.cells()];
    for (int k = 0; k < scores.length; k++) {
      scores[k] = model.scoreAt(k / SHAPE.items(), k % SHAPE.items());
    }
    return scores;
  }

  /** Return how often an item of the user's group is above one of another group. */
  private static double groupAuc(FactorModel model) {
    long wins = 0;
    long pairs = 0;
    for (int user = 0; user < SHAPE.users(); user++) {
      for (int own = user % GROUPS; own < SHAPE.items(); own += GROUPS) {
        for (int other = 0; other < SHAPE.items(); other++) {
          if (other % GROUPS != user % GROUPS) {
            wins += model.scoreAt(user, own) > model.scoreAt(user, other) ? 1 : 0;
            pairs++;
          }
        }
      }
    }
    return wins / (double) pairs;
  }

  @Test
  void learnsPlantedGroupsInBothModesByAnySchedule() {
    for (String mode : List.of("deterministic", "lock-free")) {
      for (String schedule : List.of("constant", "linear", "bold-driver")) {
        int from = listener.events(TrainingStep.class).size();
        try (SparseCells positives = planted();
            FactorModel model =
                train(
                    filter("mode", mode, "learning-rate-schedule", schedule),
                    positives,
                    CellField.observed(positives, 1, 0.05f),
                    new ThreadedParallelism(2))) {
          List<TrainingStep> steps = listener.events(TrainingStep.class);
          TrainingStep first = steps.get(from);
          TrainingStep last = steps.get(steps.size() - 1);
          String what = mode + ", " + schedule + ": " + first.summary() + "; " + last.summary();
          assertEquals(30, steps.size() - from, what);
          assertEquals(List.of("loss", "auc"), new ArrayList<>(last.measures().keySet()));
          assertTrue(last.measures().get("loss") < 0.6 * first.measures().get("loss"), what);
          assertTrue(last.measures().get("auc") > 0.85, what);
          assertTrue(groupAuc(model) > 0.9, what + "; AUC of groups " + groupAuc(model));
        }
      }
    }
  }

  @Test
  void givesTheSameBitsOnAnyNumberOfThreads() {
    try (SparseCells positives = planted()) {
      CellField weights = CellField.observed(positives, 1, 0.05f);
      float[] once;
      try (FactorModel model = train(filter(), positives, weights, new DirectParallelism())) {
        once = scores(model);
      }
      for (Parallelism parallelism :
          List.of(
              new ThreadedParallelism(2),
              new ThreadedParallelism(3),
              new DirectParallelism().withThreads(3).reversed())) {
        try (FactorModel model = train(filter(), positives, weights, parallelism)) {
          assertArrayEquals(once, scores(model), parallelism.threads() + " threads");
        }
      }
    }
  }

  @Test
  void predictsOnTheScaleOfRatings() {
    for (String bias : List.of("true", "false")) {
      try (SparseCells positives = planted()) {
        CellField weights = CellField.observed(positives, 1, 0.05f);
        try (FactorModel model =
            train(filter("bias", bias), positives, weights, new DirectParallelism())) {
          assertEquals(9, model.rank());
          double w = 0;
          double error = 0;
          double explained = 0;
          double left = 0;
          double total = 0;
          double mean = 0;
          for (int user = 0; user < SHAPE.users(); user++) {
            for (int item = 0; item < SHAPE.items(); item++) {
              double c = weights.valueAt(user, item);
              w += c;
              mean += c * (positives.contains(user, item) ? 1 : 0);
            }
          }
          mean /= w;
          for (int user = 0; user < SHAPE.users(); user++) {
            for (int item = 0; item < SHAPE.items(); item++) {
              double c = weights.valueAt(user, item);
              double r = positives.contains(user, item) ? 1 : 0;
              double s = model.scoreAt(user, item);
              error += c * (r - s);
              explained += c * (r - s) * s;
              left += c * (r - s) * (r - s);
              total += c * (r - mean) * (r - mean);
            }
          }
          // Residuals of a least-squares line are orthogonal to it.
          assertEquals(0, error / w, 1e-4, "mean residual, bias " + bias);
          assertEquals(0, explained / w, 1e-4, "slope left over, bias " + bias);
          assertTrue(left < 0.8 * total, "of " + total + " it leaves " + left);
        }
      }
    }
  }

  @Test
  void saysThatItDiverged() {
    try (SparseCells positives = planted()) {
      PecfException problem =
          assertThrows(
              PecfException.class,
              () ->
                  train(
                          filter("learning-rate", "10", "lambda", "1", "iterations", "60"),
                          positives,
                          CellField.observed(positives, 1, 0.05f),
                          new DirectParallelism())
                      .close());
      assertEquals(ErrorCode.BAD_OPTION, problem.code());
      assertTrue(problem.getMessage().contains("Lower learning-rate"), problem.getMessage());
    }
  }

  @Test
  void declaresWhatItCanDo() {
    assertEquals(
        Set.of(
            FilterCapability.CELL_WEIGHTS,
            FilterCapability.RESUMABLE,
            FilterCapability.DETERMINISTIC),
        filter().capabilities());
    assertEquals(
        Set.of(FilterCapability.CELL_WEIGHTS, FilterCapability.RESUMABLE),
        filter("mode", "lock-free").capabilities());
  }

  // In an ensemble

  @Test
  void takesThePlaceOfWmfInAProgressiveConstruction() {
    double wmf =
        progressive(
            filter(
                new WmfProvider(), Map.of("rank", "8", "lambda", "0.2", "frequency-exponent", "0")),
            "wmf");
    double bpr = progressive(filter(), "bpr");
    assertTrue(bpr > 0.75 * wmf, "recall of bpr " + bpr + ", of wmf " + wmf);
  }

  /** Grow an ensemble of three and return its recall on validation. */
  private double progressive(BaseFilter filter, String id) {
    CellPartition partition = new CellPartition(4, 3, 1, 1);
    PluginCatalog catalog = PluginCatalog.builtIn();
    BuildPlan plan =
        new BuildPlan(
            Construction.PROGRESSIVE,
            List.of(new BuildPlan.NamedFilter(id, filter)),
            catalog.weighting(Construction.PROGRESSIVE.defaultWeighting()),
            catalog.alpha(ProviderChoice.parse("dynamic")),
            2,
            0,
            MetricKey.parse("recall@20"),
            Metrics.of(new EvaluationRequest(List.of(20), CandidatePolicy.ALL_BUT_TRAINING)));
    Parallelism parallelism = new ThreadedParallelism(2);
    try (SparseCells all = planted();
        Split split =
            new Split(
                part(all, partition, Part.TRAINING),
                part(all, partition, Part.VALIDATION),
                part(all, partition, Part.TEST),
                Optional.of(partition));
        ComputeSession session = session(parallelism)) {
      Confidence confidence = new Confidence(1, 0.05f);
      BuildResult result =
          ProgressiveLoop.build(
              plan,
              TrainingCells.of(split, confidence),
              Optional.of(new Validation(split.part(Part.VALIDATION), confidence)),
              new TrainingContext(
                  new RunContext(root, parallelism, () -> false, listener), session, new Seed(8)),
              LoopCheckpoint.none());
      try {
        assertTrue(result.complete());
        double[] weights = result.ensemble().weights();
        assertEquals(3, weights.length);
        assertFalse(
            Arrays.stream(weights).anyMatch(weight -> weight < 0.02),
            () -> id + ": a member does not count: " + Arrays.toString(weights));
        return result.rounds().get(2).validation().get("recall@20");
      } finally {
        result.ensemble().close();
      }
    }
  }

  private SparseCells part(SparseCells all, CellPartition partition, Part part) {
    return TestGrids.cellsWhere(
        root,
        SHAPE,
        (user, item) -> all.contains(user, item) && partition.partOf(user, item) == part);
  }
}
