package org.pecf.api.filter;

import java.util.Optional;
import org.apiguardian.api.API;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;

/**
 * The task that a filter is to fit. What it holds is lent: it can be read, not changed or closed.
 *
 * @param shape the grid
 * @param positives the cells of the training part rated 1
 * @param weights how much each cell counts: zero for cells held out of training
 * @param targets the value to predict at each cell
 * @param start the model to start from; only for filters with {@link FilterCapability#WARM_START}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TrainingTask(
    GridShape shape,
    SparseCells positives,
    CellField weights,
    CellField targets,
    Optional<ScoreModel> start) {
  public TrainingTask {
    positives = positives.lent();
    start = start.map(ScoreModel::lent);
  }
}
