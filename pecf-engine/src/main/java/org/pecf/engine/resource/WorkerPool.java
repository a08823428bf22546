package org.pecf.engine.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.support.SharedTasks;

/** A fixed number of threads, of which the calling thread is one. */
final class WorkerPool implements Parallelism, AutoCloseable {
  private final int threads;
  private final Cancellation cancellation;
  private final ExecutorService executor;

  /**
   * Start the threads.
   *
   * @param threads at least 1
   * @param cancellation polled before each task
   */
  WorkerPool(int threads, Cancellation cancellation) {
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
    SharedTasks tasks = new SharedTasks(count, task, cancellation);
    List<Future<?>> helpers = new ArrayList<>();
    for (int worker = 1; worker < Math.min(threads, count); worker++) {
      int number = worker;
      helpers.add(executor.submit(() -> tasks.work(number)));
    }
    tasks.work(0);
    for (Future<?> helper : helpers) {
      waitFor(helper);
    }
    tasks.end();
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
}
