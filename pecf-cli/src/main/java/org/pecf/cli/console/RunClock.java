package org.pecf.cli.console;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The time since a run began, and since the training of its members did. */
final class RunClock {
  private final LongSupplier nanoTime;
  private final long began;
  private boolean trains;
  private long trainingBegan;

  RunClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
  }

  /** See the newest progress. */
  void see(Progress progress) {
    if (progress.member() > 0 && !trains) {
      trains = true;
      trainingBegan = nanoTime.getAsLong();
    }
  }

  /** Return the time since the run began. */
  Duration elapsed() {
    return Duration.ofNanos(nanoTime.getAsLong() - began);
  }

  /** Return the time since training began; zero if it has not. */
  Duration training() {
    return trains ? Duration.ofNanos(nanoTime.getAsLong() - trainingBegan) : Duration.ZERO;
  }
}
