package org.pecf.engine.construct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.DoubleSupplier;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.HostField;
import org.pecf.api.field.PartMask;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.construct.ConstructionEvent.MemberRepeated;
import org.pecf.engine.construct.ConstructionEvent.MemberStarted;
import org.pecf.engine.construct.ConstructionEvent.WeightsFitted;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.RecordingListener;
import org.pecf.testkit.fixture.SparseProducts;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** The progressive loop, step by step against the formulas of the algorithm. */
class ProgressiveLoopTest {
  private static final GridShape SHAPE = new GridShape(9, 7);
  private static final Confidence CONFIDENCE = new Confidence(1, 0.05f);

  private final RootAllocator root = new RootAllocator();
  private final RecordingListener listener = new RecordingListener();

  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** Remember what it is asked to fit, cell by cell, and answer with random factors. */
  private static class Recorder implements BaseFilter {
    final List<float[]> weights = new ArrayList<>();
    final List<float[]> targets = new ArrayList<>();
    final List<float[]> scores = new ArrayList<>();

    @Override
    public Set<FilterCapability> capabilities() {
      return EnumSet.allOf(FilterCapability.class);
    }

    @Override
    public long memoryEstimate(GridShape shape, int positives) {
      return 0;
    }

    @Override
    public ScoreModel train(TrainingTask task, TrainingContext context) {
      weights.add(cells(task.weights()));
      targets.add(cells(task.targets()));
      FactorModel model = FactorModel.allocate(context.run().allocator(), task.shape(), 2);
      float[] row = new float[2];
      for (int user = 0; user < task.shape().users(); user++) {
        context.seed().child("user", user).fillNormal(row, 0.6);
        model.users().writeRows(user, 1, row);
      }
      for (int item = 0; item < task.shape().items(); item++) {
        context.seed().child("item", item).fillNormal(row, 0.6);
        model.items().writeRows(item, 1, row);
      }
      scores.add(cells(CellField.score(model)));
      return model;
    }
  }

  private static float[] cells(CellField field) {
    float[] values = new float[(int) SHAPE.cells()];
    for (int user = 0; user < SHAPE.users(); user++) {
      for (int item = 0; item < SHAPE.items(); item++) {
        values[user * SHAPE.items() + item] = field.valueAt(user, item);
      }
    }
    return values;
  }

  private interface Check {
    void accept(BuildResult result, TrainingCells cells, Recorder recorder);
  }

  private void build(
      Construction construction, String alpha, int rounds, int patience, Check check) {
    Recorder recorder = new Recorder();
    build(
        plan(construction, alpha, rounds, patience, recorder),
        () -> false,
        (result, cells) -> check.accept(result, cells, recorder));
  }

  private static BuildPlan plan(
      Construction construction, String alpha, int rounds, int patience, BaseFilter... filters) {
    PluginCatalog catalog = PluginCatalog.builtIn();
    List<BuildPlan.NamedFilter> named = new ArrayList<>();
    for (BaseFilter filter : filters) {
      named.add(new BuildPlan.NamedFilter("filter-" + named.size(), filter));
    }
    return new BuildPlan(
        construction,
        named,
        catalog.weighting(
            construction.defaultWeighting().id().equals("posterior")
                ? ProviderChoice.of("posterior").with("scaling", "unit")
                : construction.defaultWeighting()),
        catalog.alpha(ProviderChoice.parse(alpha)),
        rounds,
        patience,
        MetricKey.parse("recall@3"),
        Metrics.of(new EvaluationRequest(List.of(3), CandidatePolicy.ALL_BUT_TRAINING)));
  }

  private void build(
      BuildPlan plan, Cancellation cancellation, BiConsumer<BuildResult, TrainingCells> check) {
    CellPartition partition = new CellPartition(4, 3, 1, 1);
    try (SparseCells all = TestGrids.randomCells(root, SHAPE, 0.5, 3);
        Split split =
            new Split(
                part(all, partition, Part.TRAINING),
                part(all, partition, Part.VALIDATION),
                part(all, partition, Part.TEST),
                Optional.of(partition));
        ReferenceComputeSession session = new ReferenceComputeSession(SHAPE, root)) {
      TrainingCells cells = TrainingCells.of(split, CONFIDENCE);
      TrainingContext context =
          new TrainingContext(
              new RunContext(root, new DirectParallelism(), cancellation, listener),
              polling(session, cancellation),
              new Seed(8));
      BuildResult result =
          ProgressiveLoop.build(
              plan,
              cells,
              Optional.of(new Validation(split.part(Part.VALIDATION), CONFIDENCE)),
              context,
              LoopCheckpoint.none());
      try {
        check.accept(result, cells);
      } finally {
        result.ensemble().close();
      }
    }
  }

  /** Return a session that asks whether to stop when it is to keep something, as backends do. */
  private static ComputeSession polling(ComputeSession session, Cancellation cancellation) {
    return (ComputeSession)
        Proxy.newProxyInstance(
            ComputeSession.class.getClassLoader(),
            new Class<?>[] {ComputeSession.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("keep")) {
                cancellation.check();
              }
              return method.invoke(session, arguments);
            });
  }

  private SparseCells part(SparseCells all, CellPartition partition, Part part) {
    return TestGrids.cellsWhere(
        root,
        SHAPE,
        (user, item) -> all.contains(user, item) && partition.partOf(user, item) == part);
  }

  private static BuildPlan greedy(MemberWeights weights, String scheme, Recorder... filters) {
    List<BuildPlan.NamedFilter> named = new ArrayList<>();
    for (Recorder filter : filters) {
      named.add(
          new BuildPlan.NamedFilter(
              "filter-" + named.size(),
              filter,
              "settings " + named.size(),
              Optional.of(new Confidence(2, 0.1f)).filter(own -> named.size() == 1)));
    }
    PluginCatalog catalog = PluginCatalog.builtIn();
    return new BuildPlan(
        Construction.GREEDY,
        named,
        catalog.weighting(ProviderChoice.of(scheme)),
        catalog.alpha(ProviderChoice.of("uniform")),
        0,
        0,
        weights,
        MetricKey.parse("recall@3"),
        Metrics.of(new EvaluationRequest(List.of(3), CandidatePolicy.ALL_BUT_TRAINING)));
  }

  /** A filter with a confidence of its own learns from it, and the others from the common one. */
  @Test
  void eachFilterOfAPlanLearnsFromItsOwnConfidence() {
    Recorder first = new Recorder();
    Recorder second = new Recorder();
    build(
        greedy(MemberWeights.JOINED, "uniform", first, second),
        () -> false,
        (result, cells) -> {
          assertArrayEquals(cells(cells.weights()), first.weights.get(0));
          assertArrayEquals(
              cells(cells.with(new Confidence(2, 0.1f)).weights()), second.weights.get(0));
          assertEquals(
              new Confidence(2, 0.1f),
              result.ensemble().members().get(1).fit().orElseThrow().confidence());
        });
  }

  /** Re-weighted members see the errors of the scores as trained; the result is standardised. */
  @Test
  void greedyMembersAreTrainedByScoresAndMixedByStandardisedOnes() {
    Recorder first = new Recorder();
    Recorder second = new Recorder();
    build(
        greedy(MemberWeights.of(0.75, 0.5), "posterior", first, second),
        () -> false,
        (result, cells) -> {
          assertEquals(
              List.of(1.0),
              result.ensemble().members().get(1).fit().orElseThrow().before(),
              "the weights before");
          float[] c = cells(cells.with(new Confidence(2, 0.1f)).weights());
          float[] r = cells(cells.ratings());
          double ratio = 0;
          for (int cell = 0; cell < c.length; cell++) {
            if (c[cell] > 0) {
              double error = r[cell] - (double) first.scores.get(0)[cell];
              double rho = 1 / (1 + 10 * Math.exp(-error * error));
              double here = second.weights.get(0)[cell] / c[cell] / rho;
              ratio = ratio == 0 ? here : ratio;
              assertEquals(ratio, here, 1e-4 * ratio, "the same factor of rho everywhere");
            }
          }
          float[] mixture = cells(result.ensemble().prediction());
          for (int user = 0; user < SHAPE.users(); user++) {
            int start = user * SHAPE.items();
            double one = 0.75 / deviation(first.scores.get(0), start);
            double other = 0.5 / deviation(second.scores.get(0), start);
            for (int cell = start; cell < start + SHAPE.items(); cell++) {
              assertEquals(
                  one * first.scores.get(0)[cell] + other * second.scores.get(0)[cell],
                  mixture[cell],
                  1e-5);
            }
          }
        });
  }

  private static double deviation(float[] scores, int start) {
    double mean = 0;
    for (int k = 0; k < SHAPE.items(); k++) {
      mean += scores[start + k] / (double) SHAPE.items();
    }
    double squares = 0;
    for (int k = 0; k < SHAPE.items(); k++) {
      squares += Math.pow(scores[start + k] - mean, 2);
    }
    return Math.sqrt(squares / SHAPE.items());
  }

  @Test
  void selectedWeightsAddUpToOneAndLeaveOutMembersThatDoNotHelp() {
    Recorder recorder = new Recorder();
    build(
        greedy(MemberWeights.SELECTED, "uniform", recorder, recorder, recorder, recorder),
        () -> false,
        (result, cells) -> {
          assertEquals(1, Arrays.stream(result.ensemble().weights()).sum(), 1e-12);
          assertEquals(result.kept().size(), result.ensemble().size());
          WeightsFitted fitted =
              listener.events().stream()
                  .filter(WeightsFitted.class::isInstance)
                  .map(WeightsFitted.class::cast)
                  .findFirst()
                  .orElseThrow();
          assertEquals(4, fitted.weights().size());
          for (int k = 0; k < 4; k++) {
            assertEquals(fitted.weights().get(k) > 0, result.kept().contains(k));
          }
        });
  }

  @Test
  void stackedWeightsAddUpToOneBySize() {
    Recorder recorder = new Recorder();
    build(
        greedy(MemberWeights.STACKED, "uniform", recorder, recorder, recorder),
        () -> false,
        (result, cells) -> {
          assertEquals(1, Arrays.stream(result.ensemble().weights()).map(Math::abs).sum(), 1e-12);
          assertEquals(result.kept().size(), result.ensemble().size());
        });
  }

  /** A member without weight stays if another one was trained by its errors. */
  @Test
  void membersThatOthersWereTrainedByStay() {
    Recorder recorder = new Recorder();
    build(
        greedy(MemberWeights.of(0, 1, 0), "posterior", recorder, recorder, recorder),
        () -> false,
        (result, cells) -> {
          assertEquals(List.of(0, 1), result.kept());
          assertArrayEquals(new double[] {0, 1}, result.ensemble().weights());
        });
    build(
        greedy(MemberWeights.of(0, 1, 0), "uniform", recorder, recorder, recorder),
        () -> false,
        (result, cells) -> {
          assertEquals(List.of(1), result.kept());
          assertEquals(List.of(), result.ensemble().members().get(0).fit().orElseThrow().before());
        });
  }

  @Test
  void progressiveMembersFitRatingsOnReweightedCells() {
    build(
        Construction.PROGRESSIVE,
        "fixed:0.25",
        2,
        0,
        (result, cells, recorder) -> {
          float[] c = cells(cells.weights());
          float[] r = cells(cells.ratings());
          assertArrayEquals(c, recorder.weights.get(0));
          double[] f = widen(recorder.scores.get(0));
          for (int round = 1; round <= 2; round++) {
            assertArrayEquals(r, recorder.targets.get(round));
            for (int k = 0; k < c.length; k++) {
              double e = r[k] - f[k];
              double rho = 1 / (1 + 10 * Math.exp(-e * e));
              assertEquals(c[k] * 11 * rho, recorder.weights.get(round)[k], 1e-5);
              f[k] = 0.75 * f[k] + 0.25 * recorder.scores.get(round)[k];
            }
          }
          assertArrayEquals(
              new double[] {0.75 * 0.75, 0.75 * 0.25, 0.25}, result.ensemble().weights(), 1e-12);
          assertClose(f, cells(result.ensemble().prediction()));
        });
  }

  @Test
  void baggingMembersFitPlainRatingsAndCountTheSame() {
    build(
        Construction.BAGGING,
        "uniform",
        3,
        0,
        (result, cells, recorder) -> {
          for (int member = 0; member < 4; member++) {
            assertArrayEquals(cells(cells.weights()), recorder.weights.get(member));
            assertArrayEquals(cells(cells.ratings()), recorder.targets.get(member));
            assertEquals(0.25, result.ensemble().weights()[member], 1e-12);
          }
          assertFalse(
              Arrays.equals(recorder.scores.get(0), recorder.scores.get(1)), "members start alike");
        });
  }

  @Test
  void boostedMembersFitResidualsAndAddUp() {
    build(
        Construction.BOOSTED,
        "fixed:0.5",
        2,
        0,
        (result, cells, recorder) -> {
          float[] c = cells(cells.weights());
          float[] r = cells(cells.ratings());
          double[] f = widen(recorder.scores.get(0));
          for (int round = 1; round <= 2; round++) {
            for (int k = 0; k < c.length; k++) {
              double e = r[k] - f[k];
              assertEquals(e, recorder.targets.get(round)[k], 1e-5);
              assertEquals(
                  c[k] * 11 / (1 + 10 * Math.exp(-e * e)), recorder.weights.get(round)[k], 1e-5);
              f[k] += 0.5 * recorder.scores.get(round)[k];
            }
          }
          assertArrayEquals(new double[] {1, 0.5, 0.5}, result.ensemble().weights(), 1e-12);
          assertClose(f, cells(result.ensemble().prediction()));
        });
  }

  @Test
  void l2boostKeepsPlainWeights() {
    build(
        Construction.L2BOOST,
        "fixed:0.5",
        1,
        0,
        (result, cells, recorder) -> {
          assertArrayEquals(cells(cells.weights()), recorder.weights.get(1));
          assertEquals(
              cells(cells.ratings())[5] - recorder.scores.get(0)[5],
              recorder.targets.get(1)[5],
              1e-6);
        });
  }

  @Test
  void dynamicAlphaMinimisesTheTrainingError() {
    build(
        Construction.PROGRESSIVE,
        "dynamic",
        1,
        0,
        (result, cells, recorder) -> {
          float[] c = cells(cells.weights());
          float[] r = cells(cells.ratings());
          double top = 0;
          double bottom = 0;
          for (int k = 0; k < c.length; k++) {
            double f = recorder.scores.get(0)[k];
            double g = recorder.scores.get(1)[k];
            top += c[k] * (r[k] - f) * (g - f);
            bottom += c[k] * (g - f) * (g - f);
          }
          double expected = Math.max(0, Math.min(1, top / bottom));
          assertTrue(expected > 0 && expected < 1, "the case shows nothing: " + expected);
          assertEquals(expected, result.ensemble().weights()[1], 1e-6);
        });
  }

  @Test
  void trainingNeverSeesHeldOutCells() {
    build(
        Construction.PROGRESSIVE,
        "dynamic",
        2,
        0,
        (result, cells, recorder) -> {
          PartMask mask = cells.mask().orElseThrow();
          for (float[] weights : recorder.weights) {
            for (int k = 0; k < weights.length; k++) {
              boolean training = mask.contains(k / SHAPE.items(), k % SHAPE.items());
              assertEquals(training, weights[k] > 0);
            }
          }
        });
  }

  @Test
  void patienceGoesBackToTheBestPrefix() {
    build(
        Construction.BAGGING,
        "uniform",
        12,
        2,
        (result, cells, recorder) -> {
          int best = best(result.rounds());
          int members = result.rounds().size();
          assertEquals(best + 1, result.ensemble().size());
          assertTrue(members == 13 || members == best + 3, result.rounds().toString());
          assertEquals(
              result.rounds().get(best).validation(),
              result.validation().orElseThrow().named(),
              "the metrics are those of the ensemble that was kept");
        });
  }

  private static int best(List<MemberFinished> rounds) {
    List<Double> metrics =
        rounds.stream().map(round -> round.validation().get("recall@3")).toList();
    int best = 0;
    for (int k = 1; k < metrics.size(); k++) {
      best = metrics.get(k) > metrics.get(best) ? k : best;
    }
    return best;
  }

  @Test
  void cancellationGoesBackToTheBestPrefixToo() {
    boolean[] asked = {false};
    Recorder recorder =
        new Recorder() {
          @Override
          public ScoreModel train(TrainingTask task, TrainingContext context) {
            if (weights.size() == 9) {
              asked[0] = true;
              context.run().cancellation().check();
            }
            return super.train(task, context);
          }
        };
    build(
        plan(Construction.BAGGING, "uniform", 12, 12, recorder),
        () -> asked[0],
        (result, cells) -> {
          assertFalse(result.complete());
          assertEquals(9, result.rounds().size());
          assertTrue(best(result.rounds()) < 8, "the last one is the best");
          assertEquals(best(result.rounds()) + 1, result.ensemble().size());
        });
  }

  @Test
  void membersThatRepeatAnEarlierOneAreReported() {
    Recorder random = new Recorder();
    Recorder fixed =
        new Recorder() {
          @Override
          public ScoreModel train(TrainingTask task, TrainingContext context) {
            return super.train(task, context.withSeed(new Seed(1)));
          }
        };
    build(
        plan(Construction.BAGGING, "uniform", 3, 0, random, fixed),
        () -> false,
        (result, cells) ->
            assertEquals(
                List.of(new MemberRepeated(4, 2, "filter-1")),
                listener.events(MemberRepeated.class)));
  }

  @Test
  void filtersTakeTurns() {
    Recorder first = new Recorder();
    Recorder second = new Recorder();
    build(
        plan(Construction.BAGGING, "uniform", 2, 0, first, second),
        () -> false,
        (result, cells) -> {
          assertEquals(2, first.weights.size());
          assertEquals(1, second.weights.size());
          assertEquals(
              List.of("filter-0", "filter-1", "filter-0"),
              listener.events(MemberStarted.class).stream().map(MemberStarted::filter).toList());
        });
  }

  @Test
  void cancellationKeepsFinishedMembers() {
    boolean[] asked = {false};
    Recorder recorder =
        new Recorder() {
          @Override
          public ScoreModel train(TrainingTask task, TrainingContext context) {
            if (weights.size() == 2) {
              asked[0] = true;
              context.run().cancellation().check();
            }
            return super.train(task, context);
          }
        };
    build(
        plan(Construction.PROGRESSIVE, "dynamic", 5, 0, recorder),
        () -> asked[0],
        (result, cells) -> {
          assertFalse(result.complete());
          assertEquals(2, result.ensemble().size());
        });
  }

  @Test
  void aFilterThatKeepsMemoryIsNamed() {
    List<AutoCloseable> kept = new ArrayList<>();
    Recorder leaky =
        new Recorder() {
          @Override
          public ScoreModel train(TrainingTask task, TrainingContext context) {
            kept.add(context.run().allocator().buffer(64));
            return super.train(task, context);
          }
        };
    PecfException problem =
        assertThrows(
            PecfException.class,
            () ->
                build(
                    plan(Construction.SINGLE, "uniform", 0, 0, leaky),
                    () -> false,
                    (result, cells) -> {}));
    assertEquals(ErrorCode.PLUGIN_FAULT, problem.code());
    assertEquals(
        "filter filter-0 did not release 64 bytes of its working memory. Tell its author.",
        problem.getMessage());
    assertEquals(1, kept.size());
    assertThrows(IllegalStateException.class, root::close, "the leak is not seen");
  }

  private String fault(BuildPlan plan) {
    PecfException problem =
        assertThrows(PecfException.class, () -> build(plan, () -> false, (result, cells) -> {}));
    assertEquals(ErrorCode.PLUGIN_FAULT, problem.code(), problem.getMessage());
    return problem.getMessage();
  }

  /** Train one filter whose model is not what it should be; return what is said of it. */
  private String modelFault(BiFunction<FactorModel, TrainingContext, ScoreModel> spoil) {
    return modelFault(EnumSet.noneOf(FilterCapability.class), spoil);
  }

  private String modelFault(
      Set<FilterCapability> capabilities,
      BiFunction<FactorModel, TrainingContext, ScoreModel> spoil) {
    Recorder spoiling =
        new Recorder() {
          @Override
          public Set<FilterCapability> capabilities() {
            return capabilities;
          }

          @Override
          public ScoreModel train(TrainingTask task, TrainingContext context) {
            return spoil.apply((FactorModel) super.train(task, context), context);
          }
        };
    return fault(plan(Construction.SINGLE, "uniform", 0, 0, spoiling));
  }

  @Test
  void aFilterIsNamedForAModelOfAnotherGrid() {
    assertEquals(
        "filter filter-0 returned a model of 9 users and 8 items for 9 users and 7 items. Tell its"
            + " author.",
        modelFault(
            (model, context) -> {
              model.close();
              return FactorModel.allocate(context.run().allocator(), new GridShape(9, 8), 2);
            }));
  }

  @Test
  void aFilterIsNamedForAModelThatIsClosed() {
    assertEquals(
        "filter filter-0 returned a model that is closed already. Tell its author.",
        modelFault(
            (model, context) -> {
              model.close();
              return model;
            }));
  }

  @Test
  void aFilterIsNamedForAModelThatItWasLent() {
    assertEquals(
        "filter filter-0 returned a model that it was lent. Tell its author.",
        modelFault(
            (model, context) -> {
              model.close();
              return model.lent();
            }));
  }

  @Test
  void aFilterIsNamedForScoresThatAreNotFinite() {
    for (float factor : new float[] {Float.NaN, Float.NEGATIVE_INFINITY, 1e38f}) {
      String message =
          modelFault(
              (model, context) -> {
                model.users().set(8, 1, factor);
                model.items().set(3, 1, 1e3f);
                return model;
              });
      assertTrue(
          message.startsWith(
              "filter filter-0 returned a model whose scores are not all finite numbers."),
          message);
    }
  }

  private SparseProductModel product(TrainingContext context, float left, float intercept) {
    BufferAllocator allocator = context.run().allocator();
    SparseProductModel model = SparseProducts.random(allocator, SHAPE, Side.ITEMS, 0.5, 3);
    model.left().entryValues().setFloat(4, left);
    model.right().scale(1e3f);
    return new SparseProductModel(Side.ITEMS, model.left(), model.right(), intercept);
  }

  @Test
  void aFilterIsNamedForSparseProductsThatAreNotFinite() {
    for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, 1e38f}) {
      for (boolean intercept : new boolean[] {false, true}) {
        if (intercept && value == 1e38f) {
          continue;
        }
        String message =
            modelFault(
                (model, context) -> {
                  model.close();
                  return product(context, intercept ? 1 : value, intercept ? value : 0);
                });
        assertTrue(message.contains("whose scores are not all finite numbers."), message);
      }
    }
    assertTrue(
        modelFault(
                (model, context) -> {
                  model.close();
                  SparseProductModel product = product(context, 1, 0);
                  product.close();
                  return product;
                })
            .contains("returned a model that is closed already"));
  }

  /** A model of a kind of its own: the scores of another, but for one cell. */
  private record Spoilt(FactorModel model, float score) implements ScoreModel {
    @Override
    public GridShape shape() {
      return model.shape();
    }

    @Override
    public float scoreAt(int user, int item) {
      if (user == 8 && item == 6) {
        if (score == 0) {
          throw new IllegalStateException("no such cell");
        }
        return score;
      }
      return model.scoreAt(user, item);
    }

    @Override
    public Spoilt transferTo(BufferAllocator target) {
      return new Spoilt(model.transferTo(target), score);
    }

    @Override
    public void close() {
      model.close();
    }
  }

  @Test
  void aFilterIsNamedForAModelOfItsOwnKind() {
    Set<FilterCapability> own = EnumSet.of(FilterCapability.OWN_MODEL);
    assertEquals(
        "filter filter-0 returned a model of its own kind but does not declare the capability"
            + " OWN_MODEL. Tell its author.",
        modelFault((model, context) -> new Spoilt(model, 1)));
    for (float score : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      String message = modelFault(own, (model, context) -> new Spoilt(model, score));
      assertTrue(message.contains("whose scores are not all finite numbers."), message);
    }
    assertEquals(
        "filter filter-0 returned a model that cannot score user 8:"
            + " java.lang.IllegalStateException: no such cell. Tell its author.",
        modelFault(own, (model, context) -> new Spoilt(model, 0)));
  }

  @Test
  void aModelOfItsOwnKindJoinsIfTheFilterSaysSo() {
    Recorder filter =
        new Recorder() {
          @Override
          public ScoreModel train(TrainingTask task, TrainingContext context) {
            return new Spoilt((FactorModel) super.train(task, context), 7);
          }
        };
    build(
        plan(Construction.BAGGING, "uniform", 1, 0, filter),
        () -> false,
        (result, cells) -> {
          assertEquals(2, result.ensemble().size());
          assertEquals(7, result.ensemble().prediction().valueAt(8, 6), 1e-6);
        });
  }

  /** Grow by a weighting scheme that spoils the weight of one cell. */
  private BuildPlan reweighted(UnaryOperator<CellField> spoil, BaseFilter filter) {
    BuildPlan plan = plan(Construction.PROGRESSIVE, "uniform", 2, 0, filter);
    return new BuildPlan(
        plan.construction(),
        plan.filters(),
        (state, kernels) -> spoil.apply(state.confidence()),
        plan.alpha(),
        plan.rounds(),
        plan.patience(),
        plan.selection(),
        plan.metrics());
  }

  /** A field that a plugin computes on the host. */
  private static CellField host(CellField otherwise, DoubleSupplier atOneCell) {
    return new HostField() {
      @Override
      public float valueAt(int user, int item) {
        return user == 4 && item == 5
            ? (float) atOneCell.getAsDouble()
            : otherwise.valueAt(user, item);
      }
    };
  }

  @Test
  void aWeightingSchemeIsNamedForItsWeights() {
    for (float weight : new float[] {Float.NaN, -1, Float.POSITIVE_INFINITY}) {
      Recorder recorder = new Recorder();
      assertEquals(
          "The weighting scheme gives user 4 and item 5 the weight "
              + weight
              + ", but a weight is a finite number and not negative. Tell its author.",
          fault(reweighted(confidence -> host(confidence, () -> weight), recorder)));
      assertEquals(1, recorder.weights.size(), "nothing is trained on them");
    }
  }

  @Test
  void weightsWithoutABoundedBackgroundAreRefusedBeforeTraining() {
    Recorder recorder = new Recorder();
    BuildPlan unbounded = reweighted(confidence -> host(confidence, () -> 1), recorder);
    BuildPlan bounded = reweighted(confidence -> confidence, recorder);
    build(
        plan(Construction.SINGLE, "uniform", 0, 0, new Recorder()),
        () -> false,
        (result, cells) -> {
          try (ReferenceComputeSession session = new ReferenceComputeSession(SHAPE, root)) {
            bounded.checkBackground(cells, session.fields());
            PecfException refusal =
                assertThrows(
                    PecfException.class, () -> unbounded.checkBackground(cells, session.fields()));
            assertEquals(ErrorCode.BAD_OPTION, refusal.code());
            assertTrue(refusal.getMessage().contains("of the weighting scheme have no bounded"));
          }
        });
    assertEquals(0, recorder.weights.size());
  }

  @Test
  void aWeightingSchemeIsNamedForAFieldThatFails() {
    String message =
        fault(
            reweighted(
                confidence ->
                    host(
                        confidence,
                        () -> {
                          throw new NoSuchElementException("no such cell");
                        }),
                new Recorder()));
    assertEquals(
        "The weighting scheme has no weight for user 4 and item 5:"
            + " java.util.NoSuchElementException: no such cell. Tell its author.",
        message);
  }

  /** Weights are looked at again, closely, when a training on them fails. */
  @Test
  void aTrainingThatFailsOnBadWeightsIsNoFaultOfTheFilter() {
    boolean[] training = new boolean[1];
    Recorder failing =
        new Recorder() {
          @Override
          public ScoreModel train(TrainingTask task, TrainingContext context) {
            if (!scores.isEmpty()) {
              training[0] = true;
              throw PecfException.badOption("Raise --lambda.");
            }
            return super.train(task, context);
          }
        };
    String message =
        fault(
            reweighted(confidence -> host(confidence, () -> training[0] ? Float.NaN : 1), failing));
    assertTrue(message.startsWith("The weighting scheme gives user 4 and item 5"), message);
  }

  @Test
  void adviceOnOptionsNamesTheFilter() {
    Recorder unstable =
        new Recorder() {
          @Override
          public ScoreModel train(TrainingTask task, TrainingContext context) {
            throw PecfException.badOption("No solution. Raise lambda.");
          }
        };
    PecfException problem =
        assertThrows(
            PecfException.class,
            () ->
                build(
                    plan(Construction.SINGLE, "uniform", 0, 0, unstable),
                    () -> false,
                    (result, cells) -> {}));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
    assertEquals("Filter filter-0: No solution. Raise lambda.", problem.getMessage());
  }

  @Test
  void patienceNeedsAValidationPart() {
    BuildPlan patient = plan(Construction.BAGGING, "uniform", 3, 1, new Recorder());
    patient.checkValidation(true);
    String message =
        assertThrows(PecfException.class, () -> patient.checkValidation(false)).getMessage();
    assertTrue(message.startsWith("Patience compares rounds on the validation part"), message);
    plan(Construction.BAGGING, "uniform", 3, 0, new Recorder()).checkValidation(false);
  }

  @Test
  void refusesToChooseByAFigureThatIsNotMeasured() {
    PluginCatalog catalog = PluginCatalog.builtIn();
    PecfException problem =
        assertThrows(
            PecfException.class,
            () ->
                new BuildPlan(
                    Construction.BAGGING,
                    List.of(new BuildPlan.NamedFilter("recorder", new Recorder())),
                    catalog.weighting(ProviderChoice.of("uniform")),
                    catalog.alpha(ProviderChoice.of("uniform")),
                    3,
                    1,
                    MetricKey.parse("recall@20"),
                    Metrics.of(
                        new EvaluationRequest(List.of(3), CandidatePolicy.ALL_BUT_TRAINING))));
    assertTrue(problem.getMessage().contains("recall@20"), problem.getMessage());
  }

  @Test
  void refusesWhatAFilterCannotLearnFrom() {
    BaseFilter plain =
        new Recorder() {
          @Override
          public Set<FilterCapability> capabilities() {
            return Set.of();
          }
        };
    PecfException residuals =
        assertThrows(
            PecfException.class, () -> plan(Construction.L2BOOST, "fixed:0.5", 1, 0, plain));
    assertEquals(
        "Construction l2boost fits residuals, which filter filter-0 cannot learn from. Use"
            + " construction progressive or bagging, or another filter.",
        residuals.getMessage());
    PecfException weights =
        assertThrows(
            PecfException.class, () -> plan(Construction.PROGRESSIVE, "dynamic", 1, 0, plain));
    assertTrue(weights.getMessage().contains("re-weighs cells"), weights.getMessage());
    plan(Construction.BAGGING, "uniform", 1, 0, plain);
  }

  private static double[] widen(float[] values) {
    double[] wide = new double[values.length];
    for (int k = 0; k < wide.length; k++) {
      wide[k] = values[k];
    }
    return wide;
  }

  private static void assertClose(double[] expected, float[] actual) {
    for (int k = 0; k < expected.length; k++) {
      assertEquals(expected[k], actual[k], 1e-5);
    }
  }

  @Test
  void namesAreSuggested() {
    PecfException problem =
        assertThrows(PecfException.class, () -> Construction.named("progresive"));
    assertTrue(problem.getMessage().contains("Did you mean 'progressive'?"), problem.getMessage());
  }
}
