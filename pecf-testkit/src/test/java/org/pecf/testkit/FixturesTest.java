package org.pecf.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.TrainingStep;

/** What contracts stand on. */
class FixturesTest {
  private final RootAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  private static List<Integer> order(Parallelism parallelism) {
    List<Integer> order = new ArrayList<>();
    parallelism.forEach(6, (index, worker) -> order.add(index));
    return order;
  }

  @Test
  void directParallelismArrangesTasks() {
    List<Integer> forward = List.of(0, 1, 2, 3, 4, 5);
    assertEquals(forward, order(new DirectParallelism()));
    assertEquals(List.of(5, 4, 3, 2, 1, 0), order(new DirectParallelism().reversed()));
    List<Integer> shuffled = order(new DirectParallelism().shuffled(1));
    assertEquals(shuffled, order(new DirectParallelism().shuffled(1)));
    assertFalse(shuffled.equals(forward));
    assertEquals(Set.copyOf(forward), Set.copyOf(shuffled));
  }

  @Test
  void directParallelismGivesWorkersTurns() {
    List<Integer> workers = new ArrayList<>();
    new DirectParallelism().withThreads(3).forEach(7, (index, worker) -> workers.add(worker));
    assertEquals(List.of(0, 1, 2, 0, 1, 2, 0), workers);
  }

  @Test
  void parallelismStopsWhenCancelled() {
    List<Parallelism> all =
        List.of(
            new DirectParallelism().cancelledBy(new CountdownCancellation(2)),
            new ThreadedParallelism(2, new CountdownCancellation(2)));
    for (Parallelism parallelism : all) {
      PecfException stop =
          assertThrows(PecfException.class, () -> parallelism.forEach(10, (index, worker) -> {}));
      assertEquals(ErrorCode.CANCELLED, stop.code());
    }
  }

  @Test
  void threadedParallelismRunsTasksAtOnce() {
    CyclicBarrier both = new CyclicBarrier(2);
    Map<Integer, Integer> workers = new ConcurrentHashMap<>();
    new ThreadedParallelism(2)
        .forEach(
            2,
            (index, worker) -> {
              workers.put(index, worker);
              try {
                both.await();
              } catch (Exception e) {
                throw new AssertionError("the tasks did not meet", e);
              }
            });
    assertEquals(Set.of(0, 1), Set.copyOf(workers.values()));
  }

  @Test
  void threadedParallelismThrowsTheFirstFailure() {
    RuntimeException failure = new IllegalStateException("task 1");
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                new ThreadedParallelism(1)
                    .forEach(
                        5,
                        (index, worker) -> {
                          if (index == 1) {
                            throw failure;
                          }
                        })));
  }

  @Test
  void recordingListenerKeepsEventsByType() {
    RecordingListener listener = new RecordingListener();
    TrainingStep step = new TrainingStep("tiny", 1, 2, Map.of());
    listener.on(() -> "something else");
    listener.on(step);
    assertEquals(2, listener.events().size());
    assertEquals(List.of(step), listener.events(TrainingStep.class));
  }

  @Test
  void randomFixturesDependOnTheirSeedAlone() {
    GridShape shape = new GridShape(40, 30);
    try (SparseCells cells = TestGrids.randomCells(allocator, shape, 0.25, 1);
        SparseCells same = TestGrids.randomCells(allocator, shape, 0.25, 1);
        SparseCells other = TestGrids.randomCells(allocator, shape, 0.25, 2);
        FactorModel model = TestGrids.randomModel(allocator, shape, 16, 1);
        FactorModel again = TestGrids.randomModel(allocator, shape, 16, 1)) {
      assertEquals(Buffers.fingerprint(cells), Buffers.fingerprint(same));
      assertTrue(Buffers.fingerprint(cells) != Buffers.fingerprint(other));
      assertEquals(300, cells.count(), 60);
      assertArrayEquals(Buffers.values(model), Buffers.values(again));
      double squares = 0;
      for (int user = 0; user < 40; user++) {
        for (int item = 0; item < 30; item++) {
          squares += model.scoreAt(user, item) * model.scoreAt(user, item) / 1200;
        }
      }
      assertEquals(1, squares, 0.2);
    }
  }

  @Test
  void plantedGroupsAreDenserWithinThanAcross() {
    try (SparseCells cells = TestGrids.planted(allocator, new GridShape(30, 30), 3, 0.9, 0.1, 1)) {
      int within = 0;
      for (int user = 0; user < 30; user++) {
        for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
          within += user % 3 == cells.itemAt(k) % 3 ? 1 : 0;
        }
      }
      assertEquals(270, within, 25);
      assertEquals(60, cells.count() - within, 25);
    }
  }

  @Test
  void checkerboardTellsPerfectFromOpposite() {
    Checkerboard board = new Checkerboard(6);
    try (FactorModel model = FactorModel.allocate(allocator, board.shape(), 1);
        SparseCells training = board.training(allocator);
        SparseCells heldOut = board.heldOut(allocator)) {
      assertEquals(12, training.count());
      assertEquals(6, heldOut.count());
      assertEquals(0.5, board.accuracy(model));
      for (int k = 0; k < 6; k++) {
        model.users().set(k, 0, k % 2 == 0 ? 1 : -1);
        model.items().set(k, 0, k % 2 == 0 ? 1 : -1);
      }
      assertEquals(1, board.accuracy(model));
      IntStream.range(0, 6).forEach(k -> model.items().set(k, 0, -model.items().get(k, 0)));
      assertEquals(0, board.accuracy(model));
    }
  }

  @Test
  void collectingSinkOrdersBatchesAndReadsBothKindsOfIds() {
    RatingSchema schema = new RatingSchema(IdKind.INTEGER, IdKind.TEXT, true, true);
    CollectingSink sink = new CollectingSink(allocator);
    sink.publish(2, batch(sink, schema, 7, "b"), 1);
    sink.publish(1, batch(sink, schema, 9, "a"), 1);
    assertEquals(
        List.of(LoadedRating.of(9L, "a", 4.5f, 100), LoadedRating.of(7L, "b", 4.5f, 100)),
        sink.ratings());
    RatingBatch again = batch(sink, schema, 1, "c");
    assertThrows(IllegalStateException.class, () -> sink.publish(1, again, 1));
    assertThrows(
        IllegalStateException.class,
        () -> sink.batch(new RatingSchema(IdKind.TEXT, IdKind.TEXT, false, false), 1));
  }

  private static RatingBatch batch(
      CollectingSink sink, RatingSchema schema, long user, String item) {
    RatingBatch batch = sink.batch(schema, 1);
    ((BigIntVector) batch.users()).setSafe(0, user);
    ((VarCharVector) batch.items()).setSafe(0, item.getBytes(StandardCharsets.UTF_8));
    batch.ratings().orElseThrow().setSafe(0, 4.5f);
    batch.times().orElseThrow().setSafe(0, 100);
    return batch;
  }
}
