package org.pecf.engine.recommend.update;

import java.util.Optional;
import java.util.Set;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;

/**
 * A filter that starts from a given model.
 *
 * @param filter the filter, with {@link FilterCapability#WARM_START}
 * @param start the model; borrowed
 */
record WarmFilter(BaseFilter filter, ScoreModel start) implements BaseFilter {
  @Override
  public Set<FilterCapability> capabilities() {
    return filter.capabilities();
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return filter.memoryEstimate(shape, positives);
  }

  @Override
  public double penalty(ScoreModel model) {
    return filter.penalty(model);
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    return filter.train(
        new TrainingTask(
            task.shape(), task.positives(), task.weights(), task.targets(), Optional.of(start)),
        context);
  }
}
