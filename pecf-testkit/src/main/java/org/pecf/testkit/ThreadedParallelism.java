package org.pecf.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apiguardian.api.API;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;

/**
 * Run tasks on real threads, started for each call and gone when it returns.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ThreadedParallelism implements Parallelism {
  private final int threads;
  private final Cancellation cancellation;

  /** Use a number of threads, and never stop early. */
  public ThreadedParallelism(int threads) {
    this(threads, () -> false);
  }

  /** Use a number of threads, each of which polls whether to stop before each task. */
  public ThreadedParallelism(int threads, Cancellation cancellation) {
    if (threads < 1) {
      throw new IllegalArgumentException("a run needs a thread at least, not " + threads);
    }
    this.threads = threads;
    this.cancellation = cancellation;
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public void forEach(int count, Task task) {
    Round round = new Round(count, task);
    List<Thread> started = new ArrayList<>();
    for (int worker = 0; worker < Math.min(threads, count); worker++) {
      int number = worker;
      Thread thread = new Thread(() -> round.work(number), "testkit-worker-" + worker);
      thread.setDaemon(true);
      thread.start();
      started.add(thread);
    }
    boolean interrupted = false;
    for (Thread thread : started) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    round.throwFailure();
    cancellation.check();
  }

  /** One call of forEach. */
  private final class Round {
    private final int count;
    private final Task task;
    private final AtomicInteger next = new AtomicInteger();
    private int failedIndex = Integer.MAX_VALUE;
    private Throwable failure;

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
