package org.pecf.plugin.baselines;

import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProduct;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.TrainingStep;
import org.pecf.api.support.Calibration;

/** The making of a model from similarities of items or users. */
final class Neighbourhood {
  private Neighbourhood() {}

  /**
   * Estimate the processor seconds that similarities take: the pairs of positives that share a row,
   * where some rows are much longer than the mean.
   *
   * @param rows the rows that positives share
   */
  static double work(long positives, int rows) {
    return 3e-7 * positives * positives / rows;
  }

  /** Return the bytes that a model and its making take. */
  static long bytes(GridShape shape, int positives, Side side, int neighbours) {
    int size = side == Side.USERS ? shape.users() : shape.items();
    long entries = (long) size * Math.min(neighbours, size);
    // Similarities are held twice while they are laid out in order or transposed, positives by
    // user, by item and weighted.
    return 2 * SparseMatrix.bytes(size, entries)
        + SparseMatrix.bytes(shape.items(), positives)
        + 2 * SparseMatrix.bytes(Math.max(shape.users(), shape.items()), positives)
        + FloatMatrix.bytes(1, shape.items());
  }

  /**
   * Return the similarities of every row of a side to its nearest neighbours, the most similar
   * other rows; of equals the first.
   *
   * @param weights the weight of each row of the other side in overlaps. Not modified.
   */
  static SparseMatrix nearest(
      Side side,
      double[] weights,
      int neighbours,
      SparseProduct.Measure measure,
      TrainingTask task,
      TrainingContext context) {
    return SparseProduct.ofOverlaps(
        task.positives(),
        side,
        weights,
        context.run().allocator(),
        overlaps ->
            overlaps
                .strongest(
                    neighbours,
                    (row, other, overlap) -> row == other ? 0 : measure.of(row, other, overlap),
                    context.run())
                .matrix());
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
      Calibration calibration =
          Calibration.fitSample(task, model, context.compute().fields(), context.run().allocator());
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
