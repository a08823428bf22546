package org.pecf.plugin.baselines;

import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.TrainingStep;
import org.pecf.api.support.Calibration;

/** The making of a model from similarities of items or users. */
final class Neighbourhood {
  private Neighbourhood() {}

  /** Return the bytes that a model and its making take. */
  static long bytes(GridShape shape, int positives, Side side, int neighbours) {
    int size = side == Side.USERS ? shape.users() : shape.items();
    long entries = (long) size * Math.min(neighbours, size);
    // Similarities of items are held once more while they are transposed.
    long similarities = (side == Side.ITEMS ? 2 : 1) * SparseMatrix.bytes(size, entries);
    return similarities + SparseMatrix.bytes(shape.users(), positives);
  }

  /**
   * Return the item-to-item model of similarities.
   *
   * @param byItem how much each item k, a column, speaks for an item, a row. Closed.
   */
  static SparseProductModel ofItems(
      SparseMatrix byItem, TrainingTask task, TrainingContext context) {
    SparseMatrix right;
    try (byItem) {
      right = byItem.transpose(context.run().allocator());
    }
    try {
      SparseMatrix left = SparseMatrix.ofCells(context.run().allocator(), task.positives());
      return new SparseProductModel(Side.ITEMS, left, right, 0);
    } catch (RuntimeException | Error e) {
      right.close();
      throw e;
    }
  }

  /**
   * Map the scores of a model to the scale of the task's targets, and report the fit.
   *
   * @param model replaced by the returned model, or closed if this method throws
   */
  static SparseProductModel calibrated(
      String filter, SparseProductModel model, TrainingTask task, TrainingContext context) {
    try {
      context.run().cancellation().check();
      Calibration calibration = Calibration.fit(task, model, context.compute().fields());
      Map<String, Double> measures = new LinkedHashMap<>();
      measures.put("error", calibration.error());
      measures.put("slope", calibration.slope());
      measures.put("intercept", calibration.intercept());
      context.run().listener().on(new TrainingStep(filter, 1, 1, measures));
      return calibration.fold(model);
    } catch (RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }
}
