package org.pecf.plugin.backend.cpu.pairwise;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.fixture.ThreadedParallelism;

/** Training in many blocks. */
class PairwiseTrainerTest {
  /** Twelve blocks of users and of items. */
  private static final GridShape SHAPE = new GridShape(200, 400);

  private final RootAllocator root = new RootAllocator();

  @AfterEach
  void closeMemory() {
    root.close();
  }

  private static SessionContext context(BufferAllocator allocator, Parallelism parallelism) {
    return new SessionContext(
        new RunContext(allocator, parallelism, () -> false, RunListener.none()),
        SHAPE,
        ComputationPath.AUTO,
        0);
  }

  private static PairwiseRequest request(
      SparseCells positives, PairwiseMode mode, double popularity, boolean bias, double lambda) {
    return new PairwiseRequest(
        positives,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        popularity,
        new PairwisePenalties(lambda, lambda, lambda),
        bias,
        mode,
        new Seed(5));
  }

  private SparseCells positives() {
    return TestGrids.planted(root, SHAPE, 4, 0.4, 0.03, 6);
  }

  private List<PairwiseEpoch> train(
      PairwiseRequest request, Parallelism parallelism, FactorModel model, int epochs) {
    List<PairwiseEpoch> summaries = new ArrayList<>();
    try (PairwiseTrainer trainer = PairwiseTrainer.prepare(context(root, parallelism), request)) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        summaries.add(trainer.epoch(model, epoch, 0.05));
      }
    }
    return summaries;
  }

  private static float[] values(FactorModel model) {
    float[] values = new float[(SHAPE.users() + SHAPE.items()) * model.rank()];
    model.users().readRows(0, SHAPE.users(), values);
    float[] items = new float[SHAPE.items() * model.rank()];
    model.items().readRows(0, SHAPE.items(), items);
    System.arraycopy(items, 0, values, SHAPE.users() * model.rank(), items.length);
    return values;
  }

  @Test
  void deterministicModeGivesTheSameBitsOnAnyNumberOfThreads() {
    for (double popularity : new double[] {0, 0.7}) {
      try (SparseCells positives = positives()) {
        PairwiseRequest request =
            request(positives, PairwiseMode.DETERMINISTIC, popularity, false, 0.01);
        float[] once = null;
        List<PairwiseEpoch> summaries = null;
        for (Parallelism parallelism :
            List.of(
                new DirectParallelism(),
                new ThreadedParallelism(2),
                new ThreadedParallelism(3),
                new DirectParallelism().withThreads(2).reversed(),
                new DirectParallelism().withThreads(4).shuffled(7))) {
          try (FactorModel model = TestGrids.randomModel(root, SHAPE, 11, 8)) {
            List<PairwiseEpoch> now = train(request, parallelism, model, 3);
            if (once == null) {
              once = values(model);
              summaries = now;
            }
            assertArrayEquals(once, values(model), parallelism.threads() + " threads");
            assertEquals(summaries, now);
          }
        }
      }
    }
  }

  @Test
  void lockFreeModeRepeatsOnOneThreadAndLearnsOnMany() {
    try (SparseCells positives = positives()) {
      PairwiseRequest request = request(positives, PairwiseMode.LOCK_FREE, 0, false, 0.01);
      float[] once;
      try (FactorModel model = TestGrids.randomModel(root, SHAPE, 8, 8)) {
        train(request, new DirectParallelism(), model, 2);
        once = values(model);
      }
      try (FactorModel model = TestGrids.randomModel(root, SHAPE, 8, 8)) {
        train(request, new DirectParallelism(), model, 2);
        assertArrayEquals(once, values(model));
      }
      try (FactorModel model = TestGrids.randomModel(root, SHAPE, 8, 8)) {
        List<PairwiseEpoch> summaries = train(request, new ThreadedParallelism(4), model, 15);
        assertTrue(summaries.get(14).auc() > 0.8, summaries.toString());
        assertTrue(summaries.get(14).loss() < 0.7 * summaries.get(0).loss());
      }
    }
  }

  /** Deterministic sampling costs no quality: both modes come to the same loss. */
  @Test
  void modesLearnAlike() {
    double[] losses = new double[2];
    for (PairwiseMode mode : PairwiseMode.values()) {
      try (SparseCells positives = positives();
          FactorModel model = TestGrids.randomModel(root, SHAPE, 8, 8)) {
        List<PairwiseEpoch> summaries =
            train(request(positives, mode, 0, false, 0.01), new DirectParallelism(), model, 20);
        losses[mode.ordinal()] = summaries.get(19).loss();
        assertEquals(positives.count(), summaries.get(19).samples());
      }
    }
    assertEquals(losses[0], losses[1], 0.05 * losses[1], Arrays.toString(losses));
  }

  /**
   * Every user likes the first 100 items; every other item is drawn from blocks that are random for
   * each epoch, and all alike over the epochs.
   */
  @Test
  void negativesFromRandomBlocksAreAllAlikeOverTheEpochs() {
    int epochs = 60;
    double rate = 1e-7;
    for (PairwiseMode mode : PairwiseMode.values()) {
      try (SparseCells positives =
              TestGrids.cellsWhere(
                  root, SHAPE, (user, item) -> item < 100 && (user + item) % 4 == 0);
          SparseCells liked = TestGrids.cellsWhere(root, SHAPE, (user, item) -> item < 100);
          FactorModel model = FactorModel.allocate(root, SHAPE, 1)) {
        for (int user = 0; user < SHAPE.users(); user++) {
          model.users().set(user, 0, 1);
        }
        PairwiseRequest plain = request(positives, mode, 0, true, 0);
        PairwiseRequest request =
            new PairwiseRequest(
                positives,
                plain.weights(),
                List.of(liked),
                plain.candidates(),
                0,
                plain.penalties(),
                true,
                mode,
                plain.seed());
        long samples = 0;
        try (PairwiseTrainer trainer =
            PairwiseTrainer.prepare(context(root, new DirectParallelism()), request)) {
          for (int epoch = 0; epoch < epochs; epoch++) {
            samples += trainer.epoch(model, epoch, rate).samples();
          }
        }
        assertEquals((long) epochs * positives.count(), samples, "every sample has a negative");
        double expected = samples / 300.0;
        for (int item = 0; item < SHAPE.items(); item++) {
          double draws = model.items().get(item, 0) / (rate / 2);
          if (item < 100) {
            assertEquals(epochs * positives.itemCount(item), draws, 1, "positive " + item);
          } else {
            // A block's number of positives varies: the deviation is above that of plain draws.
            assertEquals(expected, -draws, 0.25 * expected, mode + ": negative " + item);
          }
        }
      }
    }
  }

  @Test
  void chargesItsArraysToTheBudget() {
    try (SparseCells positives = positives();
        FactorModel model = TestGrids.randomModel(root, SHAPE, 16, 8);
        BufferAllocator small = root.newChildAllocator("small", 0, 300_000)) {
      PairwiseRequest request = request(positives, PairwiseMode.DETERMINISTIC, 0, false, 0.01);
      try (PairwiseTrainer trainer =
          PairwiseTrainer.prepare(context(small, new DirectParallelism()), request)) {
        long laidOut = small.getAllocatedMemory();
        assertTrue(laidOut >= 12L * positives.count(), "charged " + laidOut);
        trainer.epoch(model, 0, 0.1);
        assertTrue(small.getAllocatedMemory() >= laidOut + 600 * 16 * Float.BYTES);
      }
      assertEquals(0, small.getAllocatedMemory());
      try (BufferAllocator tiny = root.newChildAllocator("tiny", 0, 10_000)) {
        assertThrows(
            OutOfMemoryException.class,
            () -> PairwiseTrainer.prepare(context(tiny, new DirectParallelism()), request).close());
        assertEquals(0, tiny.getAllocatedMemory());
      }
    }
  }
}
