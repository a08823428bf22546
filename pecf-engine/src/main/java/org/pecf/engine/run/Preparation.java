package org.pecf.engine.run;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;

/**
 * Load the classes that every run needs, a tenth of a second's worth, while the program is busy
 * with its plugins. To be begun when logging is set up, for some of them ask for a logger.
 */
public final class Preparation {
  private static final long BYTES = 1 << 16;

  private Preparation() {}

  /** Begin, unless it was begun before. */
  public static void begin() {
    Once.THREAD.isAlive();
  }

  /** Wait for the end: two threads that initialise the same classes could wait for each other. */
  static void end() {
    boolean interrupted = false;
    while (Once.THREAD.isAlive()) {
      try {
        Once.THREAD.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void load() {
    try {
      ComputeRequest.standard();
      RatingSchema schema = new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, false, false);
      try (BufferAllocator allocator = new RootAllocator(BYTES);
          RatingBatch batch = RatingBatch.allocate(allocator, schema, 1)) {
        batch.users().getDataBuffer().setZero(0, 1);
      }
    } catch (RuntimeException | LinkageError e) {
      // The run meets the same problem, and says so.
      return;
    }
  }

  // Initialised when it is first asked for, and only once.
  private static final class Once {
    static final Thread THREAD = start();

    private static Thread start() {
      Thread thread = new Thread(Preparation::load, "pecf-preparation");
      thread.setDaemon(true);
      thread.start();
      return thread;
    }
  }
}
