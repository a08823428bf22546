package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apiguardian.api.API;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.Checkpoints;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.NewRow;
import org.pecf.api.filter.RowFitter;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;
import org.pecf.testkit.fixture.Buffers;
import org.pecf.testkit.fixture.Checkerboard;
import org.pecf.testkit.fixture.CountdownCancellation;
import org.pecf.testkit.fixture.DegenerateGrid;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.KeptStates;
import org.pecf.testkit.fixture.RecordingListener;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.fixture.ThreadedParallelism;
import org.pecf.testkit.reference.ReferenceComputeSession;
import org.pecf.testkit.reference.ReferenceRows;

/**
 * The contract of a base filter: extend this class and supply the provider.
 *
 * <p>Give {@linkplain #optionTexts() options} that train in milliseconds: a low rank, few steps.
 * What a filter does not declare as a capability is not checked. Memory that a training keeps after
 * its model is closed fails the test it did so in.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class BaseFilterContract extends ProviderContract {
  private static final Seed SEED = new Seed(20);

  private final RootAllocator root = new RootAllocator();

  /** For subclasses. */
  protected BaseFilterContract() {}

  @Override
  protected abstract BaseFilterProvider<?> provider();

  /** Open the backend to train on; the default is the reference. */
  protected ComputeSession open(SessionContext context) {
    return new ReferenceComputeSession(context);
  }

  /**
   * Return how often, from 0.5 for chance to 1, the filter must prefer what a user likes on the
   * {@link Checkerboard}.
   */
  protected double accuracy() {
    return 0.75;
  }

  /**
   * Return by how much more often, from 0 to 2, the filter must prefer what is liked among cells
   * that weigh fifty times as much as those that say the opposite.
   */
  protected double preferenceForWeight() {
    return 0.2;
  }

  /** Return whether another seed gives another model. */
  protected boolean dependsOnSeed() {
    return true;
  }

  /**
   * Return by how much, relative to all scores, those of users of the training may change when
   * their rows are fitted again by the rule of the model. It cannot be 0 for a filter whose
   * training ends with its items.
   */
  protected double newRowError() {
    return 0.25;
  }

  /** Close the memory of the test; a leak fails it. */
  @AfterEach
  void closeMemory() {
    root.close();
  }

  // Determinism

  /** A filter that declares to be deterministic is so to the bit. */
  @Test
  public void trainsTheSameModelForTheSameSeed() {
    assumeCapable(FilterCapability.DETERMINISTIC);
    BaseFilter filter = filter();
    float[] once = trainPlanted(filter, Lending.PLAIN);
    assertArrayEquals(once, trainPlanted(filter, Lending.PLAIN), "the same filter once more");
    assertArrayEquals(once, trainPlanted(filter(), Lending.PLAIN), "a new filter");
  }

  /** The seed matters, unless the author says it does not. */
  @Test
  public void trainsAnotherModelForAnotherSeed() {
    assumeTrue(dependsOnSeed(), "the filter does not depend on the seed");
    float[] once = trainPlanted(filter(), Lending.PLAIN);
    float[] other = trainPlanted(filter(), Lending.PLAIN.with(new Seed(21)));
    assertFalse(Arrays.equals(once, other), "seeds 20 and 21 give the same model");
  }

  /** Threads and the order of tasks change no bit of a deterministic filter. */
  @Test
  public void trainsTheSameModelAtAnyThreadCount() {
    assumeCapable(FilterCapability.DETERMINISTIC);
    float[] once = trainPlanted(filter(), Lending.PLAIN);
    for (Parallelism parallelism :
        List.of(
            new ThreadedParallelism(2),
            new ThreadedParallelism(3),
            new DirectParallelism().withThreads(3).shuffled(5))) {
      assertArrayEquals(
          once,
          trainPlanted(filter(), Lending.PLAIN.with(parallelism)),
          () -> parallelism.threads() + " threads, " + parallelism.getClass().getSimpleName());
    }
  }

  /**
   * A training that goes on from a state it offered ends with the model it would have had. A filter
   * of several steps offers such states.
   */
  @Test
  public void goesOnFromTheStatesItOffers() {
    assumeCapable(FilterCapability.RESUMABLE);
    RecordingListener listener = new RecordingListener();
    KeptStates states = new KeptStates();
    float[] whole = trainPlanted(filter(), Lending.PLAIN.with(listener).with(states));
    int steps = listener.events(TrainingStep.class).size();
    assertTrue(steps <= 1 || states.size() > 0, "offered no state in " + steps + " steps");
    assumeCapable(FilterCapability.DETERMINISTIC);
    for (int k = 0; k < states.size(); k++) {
      assertArrayEquals(
          whole,
          trainPlanted(filter(), Lending.PLAIN.with(states.from(k))),
          "the model after going on from step " + (k + 1));
    }
  }

  // Memory

  /** The model is of the right grid and lives in the memory lent. */
  @Test
  public void allocatesTheModelFromTheGivenMemory() {
    try (Planted planted = new Planted(root);
        BufferAllocator allocator = root.newChildAllocator("member", 0, Long.MAX_VALUE);
        ScoreModel model = train(filter(), planted.task(), Lending.PLAIN, allocator)) {
      assertEquals(planted.shape(), model.shape(), "the model's grid");
      for (ArrowBuf buffer : buffers(model)) {
        assertSame(
            allocator, buffer.getReferenceManager().getAllocator(), "the allocator of the model");
      }
    }
  }

  /** Return the memory of a model of a kind that the API knows. */
  private static List<ArrowBuf> buffers(ScoreModel model) {
    if (model instanceof FactorModel factors) {
      return List.of(factors.users().buffer(), factors.items().buffer());
    }
    return model instanceof SparseProductModel product
        ? Stream.of(product.left(), product.right())
            .flatMap(part -> Stream.of(part.rowStarts(), part.entryColumns(), part.entryValues()))
            .toList()
        : List.of();
  }

  /** The memory of a model passes to another allocator as a whole, with the same scores. */
  @Test
  public void handsItsModelOver() {
    try (Planted planted = new Planted(root);
        BufferAllocator member = root.newChildAllocator("member", 0, Long.MAX_VALUE);
        BufferAllocator ensemble = root.newChildAllocator("ensemble", 0, Long.MAX_VALUE)) {
      ScoreModel trained = train(filter(), planted.task(), Lending.PLAIN, member);
      float[] before = Buffers.values(trained);
      try (ScoreModel moved = trained.transferTo(ensemble)) {
        assertEquals(0, member.getAllocatedMemory(), "bytes that were not handed over");
        assertArrayEquals(before, Buffers.values(moved), "the model changed on the way");
      }
    }
  }

  /** Tiles and rows of scores have the bits of the scores of their cells. */
  @Test
  public void scoresTilesAndRowsLikeCells() {
    try (Planted planted = new Planted(root)) {
      using(filter(), planted.task(), Lending.PLAIN, this::checkTilesAndRows);
    }
  }

  private Void checkTilesAndRows(ScoreModel model) {
    int items = model.shape().items();
    float[] row = new float[items];
    for (int user = 0; user < model.shape().users(); user++) {
      model.scoreRow(user, row);
      for (int item = 0; item < items; item++) {
        assertEquals(model.scoreAt(user, item), row[item], "a row at " + user + ", " + item);
      }
    }
    try (FloatMatrix tile = FloatMatrix.allocate(root, 5, 7)) {
      for (int first : new int[] {0, 3}) {
        model.fill(first, 2 * first, tile);
        for (int k = 0; k < 35; k++) {
          assertEquals(
              model.scoreAt(first + k / 7, 2 * first + k % 7),
              tile.get(k / 7, k % 7),
              "a tile at " + first + ", " + 2 * first);
        }
      }
    }
    return null;
  }

  /** A filter says whether its models are of a kind of its own, which cannot be stored. */
  @Test
  public void declaresModelsOfItsOwnKind() {
    boolean declared = filter().capabilities().contains(FilterCapability.OWN_MODEL);
    try (Planted planted = new Planted(root)) {
      boolean known =
          using(filter(), planted.task(), Lending.PLAIN, model -> !buffers(model).isEmpty());
      assertEquals(!known, declared, "whether the filter declares " + FilterCapability.OWN_MODEL);
    }
  }

  /** The estimate covers the model and the training. */
  @Test
  public void estimatesNoLessMemoryThanItTakes() {
    try (Planted planted = new Planted(root);
        BufferAllocator allocator = root.newChildAllocator("member", 0, Long.MAX_VALUE)) {
      BaseFilter filter = filter();
      int positives = planted.positives().count();
      long estimate = filter.memoryEstimate(planted.shape(), positives);
      try (ScoreModel model = train(filter, planted.task(), Lending.PLAIN, allocator)) {
        long bytes = bytes(model);
        assertTrue(estimate >= bytes, "estimated " + estimate + " for a model of " + bytes);
      }
      // Arrow rounds buffers up to powers of two.
      long peak = allocator.getPeakMemoryAllocation();
      assertTrue(peak <= 2 * estimate + 4096, "estimated " + estimate + ", took " + peak);
      GridShape large = new GridShape(1_000_000, 100_000);
      assertTrue(filter.memoryEstimate(large, positives) > estimate, "a large grid takes no more");
    }
  }

  /** Return the bytes of a model's numbers, as far as the API knows its kind. */
  private static long bytes(ScoreModel model) {
    if (model instanceof FactorModel factors) {
      return FloatMatrix.bytes(factors.shape().users(), factors.rank())
          + FloatMatrix.bytes(factors.shape().items(), factors.rank());
    }
    return model instanceof SparseProductModel product
        ? SparseMatrix.bytes(product.left().rows(), product.left().count())
            + SparseMatrix.bytes(product.right().rows(), product.right().count())
        : 0;
  }

  /** The positives stay as they are. */
  @Test
  public void leavesItsInputsAlone() {
    try (Planted planted = new Planted(root)) {
      int before = Buffers.fingerprint(planted.positives());
      trainAndClose(filter(), planted.task(), Lending.PLAIN);
      assertEquals(before, Buffers.fingerprint(planted.positives()), "the positives changed");
    }
  }

  // Run

  /** Steps are reported from 1 on, each once, with finite measures. */
  @Test
  public void reportsItsStepsInOrder() {
    RecordingListener listener = new RecordingListener();
    trainPlanted(filter(), Lending.PLAIN.with(listener));
    List<TrainingStep> steps = listener.events(TrainingStep.class);
    assertFalse(steps.isEmpty(), "no step was reported");
    for (int k = 0; k < steps.size(); k++) {
      TrainingStep step = steps.get(k);
      assertEquals(provider().describe().id(), step.filter());
      assertEquals(k + 1, step.step(), "steps count from 1");
      assertEquals(steps.get(0).steps(), step.steps(), "the number of steps changed");
      assertTrue(step.step() <= step.steps(), step.summary());
      step.measures()
          .forEach((name, value) -> assertTrue(Double.isFinite(value), name + " is " + value));
    }
  }

  /** A training looks whether to stop, and gives back its memory. */
  @Test
  public void endsWithCancelledWhenAskedToStop() {
    for (int polls : new int[] {0, 1, 2, 5}) {
      CountdownCancellation token = new CountdownCancellation(polls);
      try {
        trainPlanted(filter(), Lending.PLAIN.cancelledBy(token));
        assertTrue(polls > 0, "never asks whether to stop");
        assertFalse(token.answered(), "goes on when asked to stop at poll " + (polls + 1));
      } catch (PecfException e) {
        assertEquals(ErrorCode.CANCELLED, e.code(), e.getMessage());
      }
    }
  }

  // Learning

  /** Every {@link DegenerateGrid} gives a finite model. */
  @Test
  public void survivesDegenerateData() {
    for (DegenerateGrid degenerate : DegenerateGrid.values()) {
      try (SparseCells positives = degenerate.positives(root)) {
        TrainingTask task = plainTask(degenerate.shape(), positives);
        using(
            filter(),
            task,
            Lending.PLAIN,
            model -> {
              assertEquals(degenerate.shape(), model.shape(), degenerate.name());
              assertFinite(model, degenerate.name());
              return null;
            });
      }
    }
  }

  /** No factor or score is infinite or not a number. */
  @Test
  public void trainsFiniteScores() {
    try (Planted planted = new Planted(root)) {
      using(
          filter(),
          planted.task(),
          Lending.PLAIN,
          model -> {
            assertFinite(model, "planted groups");
            return null;
          });
    }
  }

  private static void assertFinite(ScoreModel model, String what) {
    for (float value : Buffers.values(model)) {
      assertTrue(Float.isFinite(value), () -> what + ": a factor or score is " + value);
    }
  }

  /** The filter is better than chance where there is something to learn. */
  @Test
  public void learnsTheCheckerboard() {
    Checkerboard board = new Checkerboard(20);
    try (SparseCells training = board.training(root);
        SparseCells heldOut = board.heldOut(root)) {
      CellField weights =
          CellField.product(
              CellField.observed(training, 1, 0.1f), CellField.observed(heldOut, 0, 1));
      TrainingTask task =
          new TrainingTask(
              board.shape(),
              training,
              weights,
              CellField.observed(training, 1, 0),
              Optional.empty());
      double accuracy = using(filter(), task, Lending.PLAIN, board::accuracy);
      assertTrue(accuracy >= accuracy(), "accuracy " + accuracy);
    }
  }

  /** Cells of weight zero that say the opposite do not lead the filter astray. */
  @Test
  public void learnsNothingFromCellsOfWeightZero() {
    assumeCapable(FilterCapability.CELL_WEIGHTS);
    GridShape shape = new GridShape(20, 20);
    try (SparseCells poisoned = TestGrids.randomCells(root, shape, 0.4, 22);
        SparseCells positives =
            TestGrids.cellsWhere(
                root, shape, (user, item) -> even(user, item) != poisoned.contains(user, item))) {
      TrainingTask task =
          new TrainingTask(
              shape,
              positives,
              CellField.product(
                  CellField.observed(positives, 1, 0.5f), CellField.observed(poisoned, 0, 1)),
              CellField.observed(positives, 1, 0),
              Optional.empty());
      double accuracy =
          using(filter(), task, Lending.PLAIN, model -> accuracyWithin(poisoned, model));
      assertTrue(accuracy > 0.6, "learned from cells of weight zero: accuracy " + accuracy);
    }
  }

  private static boolean even(int user, int item) {
    return (user + item) % 2 == 0;
  }

  /** Return how often a liked item wins over a disliked one among a user's given cells. */
  private static double accuracyWithin(SparseCells cells, ScoreModel model) {
    double wins = 0;
    int pairs = 0;
    for (int user = 0; user < cells.users(); user++) {
      for (int liked = cells.userStart(user); liked < cells.userStart(user + 1); liked++) {
        for (int other = cells.userStart(user); other < cells.userStart(user + 1); other++) {
          if (even(user, cells.itemAt(liked)) && !even(user, cells.itemAt(other))) {
            float difference =
                model.scoreAt(user, cells.itemAt(liked)) - model.scoreAt(user, cells.itemAt(other));
            wins += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
            pairs++;
          }
        }
      }
    }
    return wins / pairs;
  }

  /**
   * Cells count by how much they weigh: of two halves, in which the opposite items are liked, the
   * heavier is fitted better.
   */
  @Test
  public void fitsHeavyCellsBetterThanLightOnes() {
    assumeCapable(FilterCapability.CELL_WEIGHTS);
    GridShape shape = new GridShape(40, 36);
    try (SparseCells half = TestGrids.randomCells(root, shape, 0.5, 30);
        SparseCells positives =
            TestGrids.cellsWhere(
                root, shape, (user, item) -> half.contains(user, item) == (item % 2 == 0))) {
      double advantage = 0;
      for (boolean inside : new boolean[] {true, false}) {
        TrainingTask task =
            new TrainingTask(
                shape,
                positives,
                CellField.product(
                    CellField.observed(positives, 1, 0.5f),
                    CellField.observed(half, inside ? 1 : 0.02f, inside ? 0.02f : 1)),
                CellField.observed(positives, 1, 0),
                Optional.empty());
        advantage +=
            using(
                filter(),
                task,
                Lending.PLAIN,
                model ->
                    accuracy(positives, half, inside, model)
                        - accuracy(positives, half, !inside, model));
      }
      assertTrue(
          advantage > preferenceForWeight(),
          "cells that weigh fifty times as much are distinguished no better: by " + advantage / 2);
    }
  }

  /** Return how often a positive wins over another of a user's cells, all in one half. */
  private static double accuracy(
      SparseCells positives, SparseCells half, boolean inside, ScoreModel model) {
    double wins = 0;
    int pairs = 0;
    for (int user = 0; user < positives.users(); user++) {
      for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
        int liked = positives.itemAt(k);
        for (int other = 0; other < positives.items(); other++) {
          if (half.contains(user, liked) == inside
              && half.contains(user, other) == inside
              && !positives.contains(user, other)) {
            float difference = model.scoreAt(user, liked) - model.scoreAt(user, other);
            wins += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
            pairs++;
          }
        }
      }
    }
    return wins / pairs;
  }

  /** The targets of cells of weight zero change nothing. */
  @Test
  public void ignoresTargetsOfWeightZero() {
    assumeCapable(FilterCapability.CELL_WEIGHTS);
    assumeCapable(FilterCapability.ANY_TARGET);
    assumeCapable(FilterCapability.DETERMINISTIC);
    try (Planted planted = new Planted(root);
        SparseCells ignored = TestGrids.randomCells(root, planted.shape(), 0.2, 23)) {
      CellField weights =
          CellField.product(planted.task().weights(), CellField.observed(ignored, 0, 1));
      CellField ratings = planted.task().targets();
      CellField others = CellField.difference(ratings, CellField.observed(ignored, 8, 0));
      float[] once = trainAndClose(filter(), planted.task(weights, ratings), Lending.PLAIN);
      float[] other = trainAndClose(filter(), planted.task(weights, others), Lending.PLAIN);
      assertArrayEquals(once, other, 1e-4f, "targets of weight zero changed the model");
    }
  }

  /** Targets count, not the positives. */
  @Test
  public void fitsAnyTarget() {
    assumeCapable(FilterCapability.ANY_TARGET);
    Checkerboard board = new Checkerboard(12);
    try (SparseCells training = board.training(root);
        SparseCells heldOut = board.heldOut(root)) {
      TrainingTask task =
          new TrainingTask(
              board.shape(),
              training,
              CellField.observed(heldOut, 0, 1),
              CellField.observed(training, -1, 0.5f),
              Optional.empty());
      double accuracy = using(filter(), task, Lending.PLAIN, board::accuracy);
      assertTrue(1 - accuracy >= accuracy(), "accuracy at opposite targets " + (1 - accuracy));
    }
  }

  /** A start is where the training starts, and is not changed. */
  @Test
  public void startsFromTheGivenModel() {
    assumeCapable(FilterCapability.WARM_START);
    try (Planted planted = new Planted(root);
        BufferAllocator allocator = root.newChildAllocator("member", 0, Long.MAX_VALUE);
        ScoreModel first = train(filter(), planted.task(), Lending.PLAIN, allocator);
        ScoreModel second = train(filter(), planted.taskFrom(first), Lending.PLAIN, allocator);
        ScoreModel start = train(filter(), planted.taskFrom(second), Lending.PLAIN, allocator)) {
      float[] given = Buffers.values(start);
      Lending otherSeed = Lending.PLAIN.with(new Seed(24));
      double cold = distance(given, trainAndClose(filter(), planted.task(), otherSeed));
      double warm = distance(given, trainAndClose(filter(), planted.taskFrom(start), otherSeed));
      assertArrayEquals(given, Buffers.values(start), "the start was changed");
      assertTrue(
          warm < cold / 2,
          "with a start the model is " + warm + " away from it, without one " + cold);
    }
  }

  private static double distance(float[] left, float[] right) {
    assertEquals(left.length, right.length, "the number of factors changed");
    double sum = 0;
    for (int k = 0; k < left.length; k++) {
      sum += (left[k] - (double) right[k]) * (left[k] - (double) right[k]);
    }
    return Math.sqrt(sum);
  }

  // New rows

  /**
   * A model's rule gives a user of the training who comes again about the scores of training: it is
   * the filter's own way to fit a user.
   */
  @Test
  public void takesInItsOwnUsersAgain() {
    try (Planted planted = new Planted(root)) {
      using(
          filter(),
          planted.task(),
          Lending.PLAIN,
          model -> {
            if (model instanceof SparseProductModel product && product.inner() == Side.ITEMS) {
              checkProfiles(planted.positives(), product);
              return null;
            }
            assumeTrue(model instanceof FactorModel, "the filter trains no factor models");
            FactorModel factors = (FactorModel) model;
            assumeFalse(
                factors.rules().users() instanceof RowRule.Impossible,
                "the filter takes in no new users");
            double error =
                ReferenceRows.relativeError(planted.task(), factors, provider().rowFitter());
            assertTrue(
                error <= newRowError(),
                String.format(
                    "users that are taken in again are off by %s of their scores, by the rule %s",
                    error, factors.rules().users()));
            return null;
          });
    }
  }

  /** What the provider calls worth trying are settings of its options, one step away too. */
  @Test
  public void takesTheSettingsThatItCallsWorthTrying() {
    Optional<SettingsSpace> declared =
        provider().settingsSpace(new GridShape(300, 200), 3_000, Map.of());
    assumeTrue(declared.isPresent(), "the provider says nothing of settings worth trying");
    SettingsSpace space = declared.get();
    double[] start = space.axes().stream().mapToDouble(SettingsSpace.Axis::start).toArray();
    checkPoint(space, start);
    for (int axis = 0; axis < start.length; axis++) {
      SettingsSpace.Axis along = space.axes().get(axis);
      for (double value : List.of(along.least(), along.most(), along.start() * along.factor())) {
        double[] point = start.clone();
        point[axis] = Math.min(along.most(), value);
        checkPoint(space, point);
      }
    }
  }

  private void checkPoint(SettingsSpace space, double[] point) {
    double[] given = point.clone();
    Map<String, String> settings = new LinkedHashMap<>(space.settings().apply(given));
    assertEquals(settings, space.settings().apply(given), "the same point once more");
    double work = space.work().applyAsDouble(given);
    assertArrayEquals(point, given, "the point was modified");
    assertTrue(work > 0 && Double.isFinite(work), () -> "the work of " + settings + " is " + work);
    settings.remove("confidence");
    assertNotNull(
        provider().options().bind(provider().describe().id(), settings),
        () -> "options " + settings);
  }

  /**
   * A filter's own way of fitting new rows gives any row finite factors, the same every time, and
   * modifies nothing.
   */
  @Test
  public void fitsAnyNewRowByItsOwnRule() {
    try (Planted planted = new Planted(root)) {
      using(
          filter(),
          planted.task(),
          Lending.PLAIN,
          model -> {
            for (Side side : Side.values()) {
              if (model instanceof FactorModel factors
                  && factors.rules().of(side) instanceof RowRule.OfFilter rule) {
                int cells = factors.side(side.other()).rows();
                int[] all = IntStream.range(0, cells).toArray();
                for (int[] positives : List.of(new int[0], new int[] {cells - 1}, all)) {
                  checkRow(factors, side, rule, positives, 0);
                  checkRow(factors, side, rule, positives, 0.05f);
                }
              }
            }
            return null;
          });
    }
  }

  private void checkRow(
      FactorModel model, Side side, RowRule.OfFilter rule, int[] positives, float zeroWeight) {
    RowFitter fitter =
        provider()
            .rowFitter()
            .orElseThrow(() -> new AssertionError("the provider has no fitter for " + rule));
    int cells = model.side(side.other()).rows();
    float[] weights = new float[cells];
    float[] targets = new float[cells];
    Arrays.fill(weights, zeroWeight);
    for (int cell : positives) {
      weights[cell] = 1;
      targets[cell] = 1;
    }
    NewRow row =
        new NewRow(
            side,
            positives.clone(),
            weights.clone(),
            targets.clone(),
            model.side(side.other()).lent(),
            rule.settings());
    float[] fitted = fitter.fit(row).clone();
    String which = side + ", " + positives.length + " positives, zeros that weigh " + zeroWeight;
    assertEquals(model.rank(), fitted.length, "the number of factors of a new row: " + which);
    for (float factor : fitted) {
      assertTrue(Float.isFinite(factor), () -> "a factor of a new row is " + factor + ": " + which);
    }
    assertArrayEquals(positives, row.positives(), "the positives were modified: " + which);
    assertArrayEquals(weights, row.weights(), "the weights were modified: " + which);
    assertArrayEquals(targets, row.targets(), "the targets were modified: " + which);
    assertArrayEquals(fitted, fitter.fit(row), "the same row once more: " + which);
  }

  private static void checkProfiles(SparseCells positives, SparseProductModel model) {
    float[] trained = new float[positives.items()];
    float[] again = new float[positives.items()];
    for (int user = 0; user < positives.users(); user++) {
      int first = positives.userStart(user);
      int[] profile =
          IntStream.range(first, positives.userStart(user + 1)).map(positives::itemAt).toArray();
      float[] ones = new float[profile.length];
      Arrays.fill(ones, 1);
      model.scoreRow(user, trained);
      model.scoreRow(profile, ones, again);
      assertArrayEquals(trained, again, "the profile of user " + user + " has other scores");
    }
  }

  // Held-out cells

  /**
   * On pure noise held-out positives are ranked by chance, also by a filter that has been trained
   * on them before: no training knows of another.
   */
  @Test
  public void ranksHeldOutPositivesByChance() {
    try (Noise noise = Noise.of(root, new GridShape(43, 61), 26)) {
      for (boolean masked : new boolean[] {true, false}) {
        BaseFilter filter = filter();
        trainAndClose(filter, noise.wholeTask(), Lending.PLAIN);
        double advantage =
            using(
                filter,
                masked ? noise.maskedTask() : noise.plainTask(),
                Lending.PLAIN,
                model -> noise.advantage(model, masked));
        assertTrue(
            Math.abs(advantage) <= Noise.WIDTH,
            () ->
                String.format(
                    "noise that was held out %s is ranked %s standard deviations better than by"
                        + " chance",
                    masked ? "with its cells" : "as zeros", advantage));
      }
    }
  }

  /** A model is a function of its task: trainings before it, on other data, change no bit. */
  @Test
  public void learnsFromItsTaskAlone() {
    assumeCapable(FilterCapability.DETERMINISTIC);
    try (Noise noise = Noise.of(root, new GridShape(37, 41), 27)) {
      for (TrainingTask task : List.of(noise.maskedTask(), noise.plainTask())) {
        BaseFilter filter = filter();
        float[] before = trainAndClose(filter, task, Lending.PLAIN);
        trainAndClose(filter, noise.wholeTask(), Lending.PLAIN);
        String what = "the model depends on a training before it";
        assertArrayEquals(before, trainAndClose(filter, task, Lending.PLAIN), what);
        assertArrayEquals(before, trainAndClose(filter(), task, Lending.PLAIN), what);
      }
    }
  }

  /** The values of fields count, not the way they are written: a factor of one changes nothing. */
  @Test
  public void readsTheValuesOfFieldsAlone() {
    assumeCapable(FilterCapability.DETERMINISTIC);
    try (Noise noise = Noise.of(root, new GridShape(31, 29), 28)) {
      TrainingTask task = noise.maskedTask();
      CellField named =
          CellField.product(task.weights(), CellField.observed(noise.heldOut(), 1, 1));
      assertArrayEquals(
          trainAndClose(filter(), task, Lending.PLAIN),
          trainAndClose(filter(), noise.task(noise.training(), named), Lending.PLAIN),
          1e-4f,
          "held-out positives that the weights name, but do not tell apart, changed the model");
    }
  }

  /** A cell that is held out is not a zero. */
  @Test
  public void tellsHeldOutCellsFromZeros() {
    assumeCapable(FilterCapability.CELL_WEIGHTS);
    try (Noise noise = Noise.of(root, new GridShape(31, 29), 29)) {
      float[] masked = trainAndClose(filter(), noise.maskedTask(), Lending.PLAIN);
      float[] plain = trainAndClose(filter(), noise.plainTask(), Lending.PLAIN);
      assertFalse(
          Arrays.equals(masked, plain), "cells outside the part of a mask are taken for zeros");
    }
  }

  // Ways to do it

  /** The conditions of one training. */
  private record Lending(
      Parallelism parallelism,
      Seed seed,
      Cancellation cancellation,
      RunListener listener,
      Checkpoints checkpoints) {
    static final Lending PLAIN =
        new Lending(
            new DirectParallelism(), SEED, () -> false, RunListener.none(), Checkpoints.none());

    Lending with(Parallelism other) {
      return new Lending(other, seed, cancellation, listener, checkpoints);
    }

    Lending with(Seed other) {
      return new Lending(parallelism, other, cancellation, listener, checkpoints);
    }

    Lending with(RunListener other) {
      return new Lending(parallelism, seed, cancellation, other, checkpoints);
    }

    Lending with(Checkpoints other) {
      return new Lending(parallelism, seed, cancellation, listener, other);
    }

    Lending cancelledBy(Cancellation token) {
      return new Lending(
          new DirectParallelism().cancelledBy(token), seed, token, listener, checkpoints);
    }
  }

  /** Three groups of users and items with noise. */
  private record Planted(GridShape shape, SparseCells positives) implements AutoCloseable {
    Planted(BufferAllocator allocator) {
      this(
          new GridShape(24, 18),
          TestGrids.planted(allocator, new GridShape(24, 18), 3, 0.8, 0.05, 25));
    }

    TrainingTask task() {
      return plainTask(shape, positives);
    }

    TrainingTask task(CellField weights, CellField targets) {
      return new TrainingTask(shape, positives, weights, targets, Optional.empty());
    }

    TrainingTask taskFrom(ScoreModel start) {
      return new TrainingTask(
          shape, positives, task().weights(), task().targets(), Optional.of(start));
    }

    @Override
    public void close() {
      positives.close();
    }
  }

  private static TrainingTask plainTask(GridShape shape, SparseCells positives) {
    return new TrainingTask(
        shape,
        positives,
        CellField.observed(positives, 1, 0.05f),
        CellField.observed(positives, 1, 0),
        Optional.empty());
  }

  private void assumeCapable(FilterCapability capability) {
    assumeTrue(
        filter().capabilities().contains(capability), "the filter does not declare " + capability);
  }

  private BaseFilter filter() {
    return filter(provider());
  }

  private <O extends Record> BaseFilter filter(BaseFilterProvider<O> provider) {
    return provider.create(provider.options().bind(provider.describe().id(), optionTexts()));
  }

  private float[] trainPlanted(BaseFilter filter, Lending lending) {
    try (Planted planted = new Planted(root)) {
      return trainAndClose(filter, planted.task(), lending);
    }
  }

  private float[] trainAndClose(BaseFilter filter, TrainingTask task, Lending lending) {
    return using(filter, task, lending, model -> Buffers.values(model));
  }

  /** Train, use the model, close it, and check that no memory is kept. */
  private <R> R using(
      BaseFilter filter, TrainingTask task, Lending lending, Function<ScoreModel, R> use) {
    return LentMemory.use(
        root,
        Long.MAX_VALUE,
        "the training",
        allocator -> {
          try (ScoreModel model = train(filter, task, lending, allocator)) {
            return use.apply(model);
          }
        });
  }

  private ScoreModel train(
      BaseFilter filter, TrainingTask task, Lending lending, BufferAllocator allocator) {
    SessionContext context =
        new SessionContext(
            new RunContext(root, lending.parallelism(), lending.cancellation(), RunListener.none()),
            task.shape(),
            ComputationPath.AUTO,
            0);
    try (ComputeSession session = open(context)) {
      return filter.train(
          task,
          new TrainingContext(
              new RunContext(
                  allocator, lending.parallelism(), lending.cancellation(), lending.listener()),
              session,
              lending.seed(),
              lending.checkpoints()));
    }
  }
}
