package org.pecf.api.filter;

import java.util.Set;
import org.apiguardian.api.API;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;

/**
 * A collaborative filter with its options. Immutable: all state of a training is local to {@link
 * #train}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface BaseFilter {
  /** Return the capabilities of the filter beyond fitting ratings with given weights. */
  Set<FilterCapability> capabilities();

  /**
   * Estimate the bytes that a trained model and its training take, the backend's own aside.
   *
   * @param positives the number of positives of the training part
   */
  long memoryEstimate(GridShape shape, int positives);

  /**
   * Return the terms that the filter's objective adds to {@code sum w (t - f)^2} for a model it
   * trained: its ridge terms. Zero for filters without.
   *
   * @param model a model this filter trained. Not modified.
   */
  default double penalty(ScoreModel model) {
    return 0;
  }

  /**
   * Train a model.
   *
   * @param task the weights and targets to fit; its memory is borrowed until this method returns
   * @param context the resources, the kernels and the seed of the training
   * @return a model allocated from the context's allocator; it passes to the caller
   */
  ScoreModel train(TrainingTask task, TrainingContext context);
}
