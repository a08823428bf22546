package org.pecf.engine.construct;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;

/**
 * A model as a filter returned it, checked against the filter's contract before anything relies on
 * it.
 *
 * @param owner the filter, for messages
 * @param model the returned model
 */
record TrainedModel(String owner, ScoreModel model) {
  private static final int BLOCK_FLOATS = 1 << 14;

  /** Take the model over if it is open, of the right grid, and finite; else it is closed. */
  ScoreModel takeOver(GridShape shape, BufferAllocator allocator) {
    return model instanceof FactorModel factors
        ? takeOver(factors, shape, allocator)
        : takeOver(model, shape, allocator);
  }

  /** Take over a model of the filter's own kind, of which only the grid can be checked. */
  private ScoreModel takeOver(ScoreModel other, GridShape shape, BufferAllocator allocator) {
    if (!other.shape().equals(shape)) {
      GridShape wrong = other.shape();
      other.close();
      throw fault("returned a model of " + grid(wrong) + " for " + grid(shape));
    }
    return transferred(other, allocator);
  }

  private FactorModel takeOver(FactorModel factors, GridShape shape, BufferAllocator allocator) {
    for (Side side : Side.values()) {
      if (factors.side(side).buffer().getReferenceManager().getRefCount() == 0) {
        throw fault("returned a model that is closed already");
      }
    }
    if (!factors.shape().equals(shape)) {
      GridShape other = factors.shape();
      factors.close();
      throw fault("returned a model of " + grid(other) + " for " + grid(shape));
    }
    FactorModel kept = (FactorModel) transferred(factors, allocator);
    double users = largest(kept.users());
    double items = largest(kept.items());
    if (!(users * items * kept.rank() <= Float.MAX_VALUE)) {
      kept.close();
      throw PecfException.pluginFault(
          "%s returned a model whose scores are not all finite numbers. If you chose its options,"
              + " its training may have diverged: raise the penalty (lambda) or lower the step"
              + " length. Else tell its author.",
          owner);
    }
    return kept;
  }

  private ScoreModel transferred(ScoreModel trained, BufferAllocator allocator) {
    try {
      return trained.transferTo(allocator);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw PecfException.pluginFault(
              "%s returned a model outside the memory provided for it: %s%s", owner, e, tell())
          .causedBy(e);
    }
  }

  /**
   * Return the largest magnitude of an element, or infinity if an element is not a finite number.
   */
  private static double largest(FloatMatrix matrix) {
    if (matrix.columns() == 0) {
      return 0;
    }
    int rows = Math.max(1, BLOCK_FLOATS / matrix.columns());
    float[] block = new float[rows * matrix.columns()];
    float largest = 0;
    for (int row = 0; row < matrix.rows(); row += rows) {
      int count = Math.min(rows, matrix.rows() - row);
      matrix.readRows(row, count, block);
      for (int k = 0; k < count * matrix.columns(); k++) {
        // The larger of anything and NaN is NaN.
        largest = Math.max(largest, Math.abs(block[k]));
      }
    }
    return largest <= Float.MAX_VALUE ? largest : Double.POSITIVE_INFINITY;
  }

  private static String grid(GridShape shape) {
    return shape.users() + " users and " + shape.items() + " items";
  }

  private PecfException fault(String what) {
    return PecfException.pluginFault("%s %s%s", owner, what, tell());
  }

  private static String tell() {
    return ". Tell its author.";
  }
}
