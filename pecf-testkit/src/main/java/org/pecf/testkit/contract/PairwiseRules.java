package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.Buffers;
import org.pecf.testkit.fixture.DegenerateGrid;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.fixture.ThreadedParallelism;

/**
 * The rules for pairwise training.
 *
 * <p>The draws are read from the changes of the factors: where scores stay near zero, every sample
 * moves its items by half the learning rate times its user's factors.
 */
final class PairwiseRules {
  private static final PairwisePenalties NONE = new PairwisePenalties(0, 0, 0);

  private final BufferAllocator allocator;
  private final BackendSessions sessions;

  PairwiseRules(BackendSessions sessions) {
    this.allocator = sessions.allocator();
    this.sessions = sessions;
  }

  /** A request of which nothing is particular. */
  static PairwiseRequest plain(SparseCells positives, PairwiseMode mode) {
    return PairwiseRequest.of(
        positives, new PairwisePenalties(0.01, 0.02, 0.03), mode, new Seed(31));
  }

  private static PairwiseRequest drawing(
      SparseCells positives,
      Optional<ArrowBuf> weights,
      List<SparseCells> excluded,
      Optional<PartMask> candidates,
      double popularity,
      boolean itemBias,
      PairwiseMode mode) {
    return new PairwiseRequest(
        positives, weights, excluded, candidates, popularity, NONE, itemBias, mode, new Seed(32));
  }

  // The step

  void stepsDownTheGradient() {
    for (PairwiseMode mode : PairwiseMode.values()) {
      for (int rank : new int[] {1, 2, 5, 19, 64}) {
        for (boolean itemBias : new boolean[] {false, true}) {
          assertGradient(mode, rank, itemBias);
        }
      }
    }
  }

  /** One user, one positive, one other item: there is but one sample. */
  private void assertGradient(PairwiseMode mode, int rank, boolean itemBias) {
    GridShape shape = new GridShape(1, 2);
    PairwisePenalties penalties = new PairwisePenalties(0.4, 0.2, 0.3);
    double rate = 0.05;
    try (SparseCells positives = TestGrids.cellsWhere(allocator, shape, (u, i) -> i == 0);
        FactorModel model = TestGrids.randomModel(allocator, shape, rank, 40 + rank)) {
      if (itemBias) {
        model.users().set(0, rank - 1, 1);
      }
      PairwiseRequest request =
          new PairwiseRequest(
              positives,
              Optional.empty(),
              List.of(),
              Optional.empty(),
              0,
              penalties,
              itemBias,
              mode,
              new Seed(1));
      String what = mode + ", rank " + rank + (itemBias ? " with bias" : "");
      for (int epoch = 0; epoch < 3; epoch++) {
        double[] before = widen(Buffers.values(model));
        double x = difference(before);
        PairwiseEpoch summary = epoch(shape, request, model, epoch, rate);
        assertEquals(1, summary.samples(), what + ": samples");
        assertEquals(Math.log1p(Math.exp(-x)), summary.loss(), 1e-5, what + ": loss at " + x);
        assertEquals(x > 0 ? 1 : 0, summary.auc(), what + ": AUC at " + x);
        float[] after = Buffers.values(model);
        for (int k = 0; k < after.length; k++) {
          double slope =
              itemBias && k == rank - 1
                  ? 0
                  : slope(before, k, factors -> objective(factors, penalties));
          assertEquals(
              before[k] - rate * slope, after[k], 2e-6, what + ": factor " + k + ", step " + epoch);
        }
      }
    }
  }

  private static double slope(double[] at, int index, ToDoubleFunction<double[]> function) {
    double width = 1e-4;
    double[] above = at.clone();
    above[index] += width;
    double[] below = at.clone();
    below[index] -= width;
    return (function.applyAsDouble(above) - function.applyAsDouble(below)) / (2 * width);
  }

  /** Return u . (p - n) of a user's, a positive's and a negative's factors in a row. */
  private static double difference(double[] factors) {
    int rank = factors.length / 3;
    double x = 0;
    for (int k = 0; k < rank; k++) {
      x += factors[k] * (factors[rank + k] - factors[2 * rank + k]);
    }
    return x;
  }

  private static double objective(double[] factors, PairwisePenalties penalties) {
    int rank = factors.length / 3;
    double sum = Math.log1p(Math.exp(-difference(factors)));
    for (int k = 0; k < rank; k++) {
      sum += penalties.users() / 2 * factors[k] * factors[k];
      sum += penalties.positives() / 2 * factors[rank + k] * factors[rank + k];
      sum += penalties.negatives() / 2 * factors[2 * rank + k] * factors[2 * rank + k];
    }
    return sum;
  }

  // What is drawn

  /** User i likes item i alone; negatives come from the items after. */
  void drawsPositivesByTheirWeights() {
    int users = 40;
    int others = 20;
    GridShape shape = new GridShape(users, users + others);
    int epochs = 300;
    for (PairwiseMode mode : PairwiseMode.values()) {
      try (SparseCells positives = TestGrids.cellsWhere(allocator, shape, (u, i) -> u == i);
          SparseCells excluded = TestGrids.cellsWhere(allocator, shape, (u, i) -> i < users);
          ArrowBuf weights = weights(positives, k -> k % 4 * 0.3)) {
        double[] draws =
            draws(
                shape,
                drawing(
                    positives,
                    Optional.of(weights),
                    List.of(excluded),
                    Optional.empty(),
                    0,
                    true,
                    mode),
                epochs);
        // Three of four weights are above zero: 0.3, 0.6, 0.9.
        int samples = epochs * users * 3 / 4;
        double[] drawn = Arrays.copyOf(draws, users);
        assertEquals(samples, Arrays.stream(drawn).sum(), 1, mode + ": samples");
        assertShares(mode + ": positives", drawn, k -> k % 4 / 6.0 / (users / 4.0), samples);
        double[] negatives = Arrays.copyOfRange(draws, users, draws.length);
        for (int k = 0; k < others; k++) {
          negatives[k] = -negatives[k];
        }
        assertShares(mode + ": negatives", negatives, k -> 1.0 / others, samples);
      }
    }
  }

  /** Items 0 to 9 have as many positives as their number says, of users who are never drawn. */
  void drawsNegativesByPopularity() {
    GridShape shape = new GridShape(30, 11);
    int epochs = 400;
    for (PairwiseMode mode : PairwiseMode.values()) {
      for (double power : new double[] {0.5, 1}) {
        try (SparseCells positives =
                TestGrids.cellsWhere(
                    allocator, shape, (u, i) -> u < 10 ? i < 10 && u < i : i == 10);
            ArrowBuf weights = weights(positives, k -> k < positives.userStart(10) ? 0 : 1)) {
          double[] draws =
              draws(
                  shape,
                  drawing(
                      positives,
                      Optional.of(weights),
                      List.of(),
                      Optional.empty(),
                      power,
                      true,
                      mode),
                  epochs);
          double total = 0;
          for (int item = 0; item < 10; item++) {
            total += Math.pow(item, power);
            draws[item] = -draws[item];
          }
          double all = total;
          assertShares(
              mode + ", power " + power,
              Arrays.copyOf(draws, 10),
              item -> Math.pow(item, power) / all,
              epochs * 20);
        }
      }
    }
  }

  /** Fail if counts are further from their shares than chance explains. */
  private static void assertShares(
      String what, double[] counts, IntToDoubleFunction share, int samples) {
    double chiSquare = 0;
    int cells = 0;
    for (int k = 0; k < counts.length; k++) {
      double expected = share.applyAsDouble(k) * samples;
      if (expected == 0) {
        assertEquals(0, counts[k], 0.4, what + ": " + k + " must not be drawn");
      } else {
        chiSquare += (counts[k] - expected) * (counts[k] - expected) / expected;
        cells++;
      }
    }
    double bound = cells - 1 + 4.5 * Math.sqrt(2.0 * (cells - 1));
    assertTrue(
        chiSquare < bound,
        what + ": chi-square " + chiSquare + " above " + bound + ": " + Arrays.toString(counts));
  }

  /** Return how often each item was drawn: positives count up, negatives count down. */
  private double[] draws(GridShape shape, PairwiseRequest request, int epochs) {
    double rate = 1e-7;
    double[] draws = new double[shape.items()];
    try (FactorModel model = FactorModel.allocate(allocator, shape, 1)) {
      for (int user = 0; user < shape.users(); user++) {
        model.users().set(user, 0, 1);
      }
      sessions.use(
          shape,
          SessionSetup.DENSE,
          session -> {
            try (PairwiseSgd training = session.pairwise(request)) {
              for (int epoch = 0; epoch < epochs; epoch++) {
                training.epoch(model, epoch, rate);
              }
            }
          });
      for (int item = 0; item < draws.length; item++) {
        draws[item] = model.items().get(item, 0) / (rate / 2);
      }
    }
    return draws;
  }

  private ArrowBuf weights(SparseCells positives, IntToDoubleFunction weight) {
    ArrowBuf weights = allocator.buffer((long) positives.count() * Float.BYTES);
    for (int k = 0; k < positives.count(); k++) {
      weights.setFloat((long) k * Float.BYTES, (float) weight.applyAsDouble(k));
    }
    return weights;
  }

  /** Every user has a factor of its own, so that items remember who drew them. */
  void drawsNegativesFromAllAllowedCellsAndNoOthers() {
    GridShape shape = new GridShape(40, 70);
    int epochs = 10;
    double rate = 1e-4;
    for (PairwiseMode mode : PairwiseMode.values()) {
      for (Parallelism parallelism : List.of(new DirectParallelism(), new ThreadedParallelism(2))) {
        try (SparseCells positives = TestGrids.randomCells(allocator, shape, 0.3, 33);
            SparseCells first = TestGrids.randomCells(allocator, shape, 0.1, 34);
            SparseCells second = TestGrids.randomCells(allocator, shape, 0.1, 35);
            FactorModel model = FactorModel.allocate(allocator, shape, shape.users())) {
          PairwiseRequest request =
              drawing(
                  positives,
                  Optional.empty(),
                  List.of(first, second),
                  Optional.of(Grid.MASK),
                  0,
                  false,
                  mode);
          for (int user = 0; user < shape.users(); user++) {
            model.users().set(user, user, 1);
          }
          long[] samples = {0};
          sessions.use(
              shape,
              SessionSetup.DENSE.with(parallelism),
              session -> {
                try (PairwiseSgd training = session.pairwise(request)) {
                  for (int epoch = 0; epoch < epochs; epoch++) {
                    samples[0] += training.epoch(model, epoch, rate).samples();
                  }
                }
              });
          String what = mode + " on " + parallelism.threads() + " threads";
          assertEquals(epochs * positives.count(), samples[0], 0.02 * samples[0], what);
          assertDrawn(what, request, model, rate, samples[0]);
        }
      }
    }
  }

  private static void assertDrawn(
      String what, PairwiseRequest request, FactorModel model, double rate, long samples) {
    double liked = 0;
    int allowed = 0;
    int drawn = 0;
    for (int user = 0; user < model.shape().users(); user++) {
      for (int item = 0; item < model.shape().items(); item++) {
        double draws = model.items().get(item, user) / (rate / 2);
        String cell = what + ": user " + user + ", item " + item + " moved " + draws + " times";
        if (request.positives().contains(user, item)) {
          assertTrue(draws > 0.5, cell + ", a positive");
          liked += draws;
        } else if (allowed(request, user, item)) {
          assertTrue(draws < 0.1, cell + ", a negative");
          allowed++;
          drawn += draws < -0.5 ? 1 : 0;
        } else {
          assertEquals(0, draws, 0.1, cell + ", not to be drawn");
        }
      }
    }
    // Threads that update a row at once may lose a few.
    double lost = request.mode() == PairwiseMode.LOCK_FREE ? 0.05 : 0.001;
    assertEquals(samples, liked, lost * samples, what + ": positives drawn as negatives?");
    assertTrue(
        drawn > 0.99 * allowed, what + ": of " + allowed + " cells only " + drawn + " were drawn");
  }

  private static boolean allowed(PairwiseRequest request, int user, int item) {
    return request.excluded().stream().noneMatch(cells -> cells.contains(user, item))
        && request.candidates().stream().allMatch(mask -> mask.valueAt(user, item) == 1);
  }

  // Learning

  void learnsToRankPlantedGroups() {
    GridShape shape = new GridShape(66, 70);
    for (PairwiseMode mode : PairwiseMode.values()) {
      for (Parallelism parallelism : List.of(new DirectParallelism(), new ThreadedParallelism(3))) {
        try (SparseCells positives = TestGrids.planted(allocator, shape, 3, 0.5, 0.02, 36);
            FactorModel model = TestGrids.randomModel(allocator, shape, 6, 37)) {
          sessions.use(
              shape,
              SessionSetup.DENSE.with(parallelism),
              session -> {
                try (PairwiseSgd training = session.pairwise(plain(positives, mode))) {
                  PairwiseEpoch first = training.epoch(model, 0, 0.1);
                  PairwiseEpoch last = first;
                  for (int epoch = 1; epoch < 30; epoch++) {
                    last = training.epoch(model, epoch, 0.1);
                  }
                  String what = mode + ": from " + first + " to " + last;
                  assertTrue(last.loss() < 0.6 * first.loss(), what);
                  assertTrue(last.auc() > 0.85 && last.auc() <= 1, what);
                }
              });
        }
      }
    }
  }

  void survivesDegenerateGrids() {
    for (PairwiseMode mode : PairwiseMode.values()) {
      for (DegenerateGrid degenerate : DegenerateGrid.values()) {
        try (SparseCells positives = degenerate.positives(allocator);
            FactorModel model = TestGrids.randomModel(allocator, degenerate.shape(), 3, 38)) {
          float[] before = Buffers.values(model);
          PairwiseEpoch summary = epoch(degenerate.shape(), plain(positives, mode), model, 0, 0.1);
          String what = degenerate + ", " + mode + ": " + summary;
          assertTrue(Double.isFinite(summary.loss()) && Double.isFinite(summary.auc()), what);
          for (float factor : Buffers.values(model)) {
            assertTrue(Float.isFinite(factor), what);
          }
          boolean nothing =
              positives.items() == 1 || positives.count() == degenerate.shape().cells();
          if (nothing) {
            assertEquals(new PairwiseEpoch(0, 0, 0.5), summary, what);
            assertArrayEquals(before, Buffers.values(model), what);
          } else {
            assertTrue(summary.samples() > 0, what);
          }
        }
      }
    }
  }

  // Repeatability

  void epochsDependOnTheirNumberAndTheRequestAlone() {
    GridShape shape = new GridShape(50, 70);
    try (SparseCells positives = TestGrids.randomCells(allocator, shape, 0.2, 39)) {
      int fingerprint = Buffers.fingerprint(positives);
      PairwiseRequest request = plain(positives, PairwiseMode.DETERMINISTIC);
      float[] third = after(shape, request, 3);
      assertArrayEquals(third, after(shape, request, 3), "the same epoch");
      assertArrayEquals(third, after(shape, request, 0, 3), "after another epoch");
      assertFalse(Arrays.equals(third, after(shape, request, 4)), "epochs 3 and 4 are alike");
      PairwiseRequest other =
          new PairwiseRequest(
              positives,
              request.weights(),
              request.excluded(),
              request.candidates(),
              request.popularity(),
              request.penalties(),
              request.itemBias(),
              request.mode(),
              new Seed(99));
      assertFalse(Arrays.equals(third, after(shape, other, 3)), "two seeds are alike");
      assertEquals(fingerprint, Buffers.fingerprint(positives), "the positives changed");
    }
  }

  /** Return the factors after the last of some epochs, each of which starts from the same. */
  private float[] after(GridShape shape, PairwiseRequest request, int... epochs) {
    float[][] factors = new float[1][];
    sessions.use(
        shape,
        SessionSetup.DENSE,
        session -> {
          try (PairwiseSgd training = session.pairwise(request)) {
            for (int epoch : epochs) {
              try (FactorModel model = TestGrids.randomModel(allocator, shape, 4, 41)) {
                training.epoch(model, epoch, 0.1);
                factors[0] = Buffers.values(model);
              }
            }
          }
        });
    return factors[0];
  }

  private PairwiseEpoch epoch(
      GridShape shape, PairwiseRequest request, FactorModel model, int epoch, double rate) {
    PairwiseEpoch[] summary = new PairwiseEpoch[1];
    sessions.use(
        shape,
        SessionSetup.DENSE,
        session -> {
          try (PairwiseSgd training = session.pairwise(request)) {
            summary[0] = training.epoch(model, epoch, rate);
          }
        });
    return summary[0];
  }

  private static double[] widen(float[] values) {
    double[] wide = new double[values.length];
    for (int k = 0; k < wide.length; k++) {
      wide[k] = values[k];
    }
    return wide;
  }
}
