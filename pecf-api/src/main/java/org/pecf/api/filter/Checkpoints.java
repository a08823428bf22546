package org.pecf.api.filter;

import java.util.Optional;
import org.apiguardian.api.API;
import org.pecf.api.memory.FactorModel;

/**
 * The keeper of the state of a training between its steps: a run that was cut off goes on from
 * there instead of training the member again.
 *
 * <p>It is for filters with {@link FilterCapability#RESUMABLE}. The state is a step, some numbers
 * and the factors; everything else must follow from the task, the options and the seed.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Checkpoints {
  /** Return a keeper that keeps nothing. */
  static Checkpoints none() {
    return new Checkpoints() {
      @Override
      public Optional<TrainingProgress> restore(FactorModel factors) {
        return Optional.empty();
      }

      @Override
      public void offer(FactorModel factors, TrainingProgress progress) {}
    };
  }

  /**
   * Restore the state that this training had when it was cut off. Call it once, before the first
   * step.
   *
   * @param factors allocated by the filter. Modified if there is such a state.
   * @return the progress, or nothing if the training begins
   */
  Optional<TrainingProgress> restore(FactorModel factors);

  /**
   * Offer the state after a step that is not the last; it is kept if the user wants it. Call it
   * when nothing but the next step is left to do.
   *
   * @param factors the factors after the step. Not modified.
   */
  void offer(FactorModel factors, TrainingProgress progress);
}
