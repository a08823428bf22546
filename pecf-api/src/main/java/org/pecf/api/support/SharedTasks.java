package org.pecf.api.support;

import java.util.concurrent.atomic.AtomicInteger;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;

/**
 * The tasks of one call of {@link Parallelism#forEach}, which workers take one by one: for whoever
 * supplies the threads.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SharedTasks {
  private final int count;
  private final Parallelism.Task task;
  private final Cancellation cancellation;
  private final AtomicInteger next = new AtomicInteger();
  private int failedIndex = Integer.MAX_VALUE;
  private @Nullable Throwable failure;

  /**
   * Create tasks that nobody has begun.
   *
   * @param cancellation polled before each task
   */
  public SharedTasks(int count, Parallelism.Task task, Cancellation cancellation) {
    this.count = count;
    this.task = task;
    this.cancellation = cancellation;
  }

  /**
   * Do tasks until none is left or one has failed. Each worker calls this once, on its own thread.
   */
  public void work(int worker) {
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

  /** End the call when all workers have returned: throw the failure of the lowest failing index. */
  public synchronized void end() {
    if (failure instanceof RuntimeException problem) {
      throw problem;
    }
    if (failure instanceof Error problem) {
      throw problem;
    }
    cancellation.check();
  }
}
