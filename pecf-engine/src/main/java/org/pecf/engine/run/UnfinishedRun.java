package org.pecf.engine.run;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * A way to the members that a run has finished, for a caller that can no longer wait until the run
 * stops: the code of a plugin may not heed that it was cancelled.
 */
public final class UnfinishedRun {
  private volatile Supplier<Optional<TrainingResult>> result = Optional::empty;

  /** Wait for a run to begin. */
  public UnfinishedRun() {}

  /** Begin to follow a run. */
  void begin(Supplier<Optional<TrainingResult>> members) {
    result = members;
  }

  /**
   * Return the result that the run would have if it stopped now, if a member is finished. It
   * borrows all memory from the run: use it while the run is still at work, and do not close it.
   */
  public Optional<TrainingResult> result() {
    return result.get();
  }
}
