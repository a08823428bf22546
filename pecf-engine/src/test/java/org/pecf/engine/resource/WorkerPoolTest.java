package org.pecf.engine.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class WorkerPoolTest {
  @Test
  void runsEveryTaskOnceOnWorkersOfTheStatedNumbers() {
    try (WorkerPool pool = new WorkerPool(3, () -> false)) {
      for (int count : new int[] {0, 1, 2, 1000}) {
        AtomicIntegerArray runs = new AtomicIntegerArray(count);
        Set<Integer> workers = ConcurrentHashMap.newKeySet();
        pool.forEach(
            count,
            (index, worker) -> {
              runs.incrementAndGet(index);
              workers.add(worker);
            });
        for (int index = 0; index < count; index++) {
          assertEquals(1, runs.get(index));
        }
        assertTrue(Set.of(0, 1, 2).containsAll(workers), workers.toString());
      }
    }
  }

  @Test
  void asManyTasksRunAtOnceAsThereAreThreads() {
    CyclicBarrier together = new CyclicBarrier(3);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    try (WorkerPool pool = new WorkerPool(3, () -> false)) {
      pool.forEach(
          3,
          (index, worker) -> {
            threads.add(Thread.currentThread());
            try {
              together.await();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }
    assertEquals(3, threads.size());
    assertTrue(threads.contains(Thread.currentThread()), "the caller is one of them");
  }

  @Test
  void theFailureOfATaskReachesTheCaller() {
    IllegalArgumentException failure = new IllegalArgumentException("task 7");
    try (WorkerPool pool = new WorkerPool(2, () -> false)) {
      assertSame(
          failure,
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  pool.forEach(
                      20,
                      (index, worker) -> {
                        if (index == 7) {
                          throw failure;
                        }
                      })));
    }
  }

  @Test
  void cancellationEndsTheTasks() {
    AtomicBoolean cancelled = new AtomicBoolean();
    AtomicInteger runs = new AtomicInteger();
    try (WorkerPool pool = new WorkerPool(2, cancelled::get)) {
      PecfException end =
          assertThrows(
              PecfException.class,
              () ->
                  pool.forEach(
                      1000,
                      (index, worker) -> {
                        runs.incrementAndGet();
                        cancelled.set(true);
                      }));
      assertEquals(ErrorCode.CANCELLED, end.code());
    }
    assertTrue(runs.get() <= 2, () -> runs + " tasks ran");
  }

  @Test
  void anInterruptedCallerWaitsAndStaysInterrupted() {
    AtomicInteger runs = new AtomicInteger();
    try (WorkerPool pool = new WorkerPool(2, () -> false)) {
      Thread.currentThread().interrupt();
      pool.forEach(100, (index, worker) -> runs.incrementAndGet());
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertEquals(100, runs.get());
  }
}
