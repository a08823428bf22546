package org.pecf.serve.model;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A thread that checks whether the folder holds another model, and has it served.
 *
 * <p>It compares a checksum of 64 letters, which works on every file system, through links and in
 * containers, where notices of the operating system often do not arrive.
 */
public final class ModelWatch implements AutoCloseable {
  private static final long MOST_WAITS = 60;

  private final CurrentModel model;
  private final ScheduledExecutorService thread;
  private long waits;
  private long failed;

  /**
   * Start watching.
   *
   * @param model the model in use; borrowed
   * @param period the time between two looks
   */
  public ModelWatch(CurrentModel model, Duration period) {
    this.model = model;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "pecf-watch");
              made.setDaemon(true);
              return made;
            });
    thread.scheduleWithFixedDelay(
        this::look, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Reload an outdated model; after failures, wait twice as long each time. */
  private void look() {
    try {
      if (!model.isOutdated()) {
        failed = 0;
        waits = 0;
      } else if (waits > 0) {
        waits--;
      } else {
        model.reload();
        failed = 0;
      }
    } catch (RuntimeException | Error e) {
      // The model in use says so, and stays. Whatever is thrown from here would end the watch.
      failed++;
      waits = Math.min(MOST_WAITS, 1L << Math.min(failed, 6));
    }
  }

  /** Stop watching, after a reload that is under way. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      thread.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
