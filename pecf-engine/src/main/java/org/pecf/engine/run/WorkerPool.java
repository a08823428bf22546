package org.pecf.engine.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;

/** A fixed number of threads, of which the calling thread is one. */
public final class WorkerPool implements Parallelism, AutoCloseable {
  private final int threads;
  private final Cancellation cancellation;
  private final ExecutorService executor;

  /**
   * Start the threads.
   *
   * @param threads at least 1
   * @param cancellation polled before each task
   */
  public WorkerPool(int threads, Cancellation cancellation) {
    if (threads < 1) {
      throw new IllegalArgumentException("a run needs a thread at least, not " + threads);
    }
    this.threads = threads;
    this.cancellation = cancellation;
    AtomicInteger number = new AtomicInteger();
    this.executor =
        Executors.newFixedThreadPool(
            Math.max(1, threads - 1),
            runnable -> {
              Thread thread = new Thread(runnable, "pecf-worker-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public void forEach(int count, Task task) {
    Round round = new Round(count, task);
    List<Future<?>> helpers = new ArrayList<>();
    for (int worker = 1; worker < Math.min(threads, count); worker++) {
      int number = worker;
      helpers.add(executor.submit(() -> round.work(number)));
    }
    round.work(0);
    for (Future<?> helper : helpers) {
      waitFor(helper);
    }
    round.throwFailure();
    cancellation.check();
  }

  private static void waitFor(Future<?> helper) {
    boolean interrupted = false;
    while (true) {
      try {
        helper.get();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        throw new IllegalStateException("a worker failed outside its task", e.getCause());
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  /** One call of forEach. */
  private final class Round {
    private final int count;
    private final Task task;
    private final AtomicInteger next = new AtomicInteger();
    private int failedIndex = Integer.MAX_VALUE;
    private @Nullable Throwable failure;

    Round(int count, Task task) {
      this.count = count;
      this.task = task;
    }

    void work(int worker) {
      for (int index = next.getAndIncrement(); index < count; index = next.getAndIncrement()) {
        try {
          cancellation.check();
          task.run(index, worker);
        } catch (RuntimeException | Error e) {
          fail(index, e);
        }
      }
    }

    private synchronized void fail(int index, Throwable problem) {
      next.set(count);
      if (index < failedIndex) {
        failedIndex = index;
        failure = problem;
      }
    }

    private synchronized void throwFailure() {
      if (failure instanceof RuntimeException problem) {
        throw problem;
      }
      if (failure instanceof Error problem) {
        throw problem;
      }
    }
  }
}
