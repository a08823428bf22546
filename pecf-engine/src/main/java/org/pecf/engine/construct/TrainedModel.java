package org.pecf.engine.construct;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;

/**
 * A model as a filter returned it, checked against the filter's contract before anything relies on
 * it.
 *
 * @param owner the filter, for messages
 * @param ownKind whether the filter declares that its models are of a kind of its own
 * @param model the returned model
 */
record TrainedModel(String owner, boolean ownKind, ScoreModel model) {
  private static final int BLOCK_FLOATS = 1 << 14;

  /**
   * Take the model over if it is open, of the right grid and kind, and finite; else it is closed.
   *
   * @param context the allocator that owns the model from now on, and threads to check it
   */
  ScoreModel takeOver(GridShape shape, RunContext context) {
    List<ArrowBuf> buffers;
    try {
      buffers = buffers();
    } catch (IllegalStateException e) {
      throw fault("returned a model that it was lent");
    }
    if (buffers.stream().anyMatch(buffer -> buffer.getReferenceManager().getRefCount() == 0)) {
      throw fault("returned a model that is closed already");
    }
    if (!model.shape().equals(shape)) {
      GridShape other = model.shape();
      model.close();
      throw fault("returned a model of " + grid(other) + " for " + grid(shape));
    }
    if (buffers.isEmpty() && !ownKind) {
      model.close();
      throw fault("returned a model of its own kind but does not declare the capability OWN_MODEL");
    }
    ScoreModel kept = transferred(context.allocator());
    try {
      if (!finite(kept, context)) {
        throw PecfException.pluginFault(
            "%s returned a model whose scores are not all finite numbers. If you chose its"
                + " options, its training may have diverged: raise the penalty (lambda) or lower"
                + " the step length. Else tell its author.",
            owner);
      }
      return kept;
    } catch (RuntimeException | Error e) {
      kept.close();
      throw e;
    }
  }

  /** Return the memory of a model of a kind that the API knows; none of another kind. */
  private List<ArrowBuf> buffers() {
    if (model instanceof FactorModel factors) {
      return List.of(factors.users().buffer(), factors.items().buffer());
    }
    if (model instanceof SparseProductModel product) {
      return Stream.of(product.left(), product.right())
          .flatMap(
              matrix -> Stream.of(matrix.rowStarts(), matrix.entryColumns(), matrix.entryValues()))
          .toList();
    }
    return List.of();
  }

  private boolean finite(ScoreModel kept, RunContext context) {
    if (kept instanceof FactorModel factors) {
      return largest(factors.users()) * largest(factors.items()) * factors.rank()
          <= Float.MAX_VALUE;
    }
    if (kept instanceof SparseProductModel product) {
      return largest(product.left()) * largest(product.right()) * longestRow(product.left())
              + Math.abs(product.intercept())
          <= Float.MAX_VALUE;
    }
    return finiteRows(kept, context.parallelism());
  }

  /** Return whether all scores of a model of the filter's own kind are finite, one by one. */
  private boolean finiteRows(ScoreModel kept, Parallelism parallelism) {
    AtomicBoolean finite = new AtomicBoolean(true);
    parallelism.forEach(
        kept.shape().users(),
        (user, worker) -> {
          for (float score : scores(kept, user)) {
            if (!Float.isFinite(score)) {
              finite.set(false);
            }
          }
        });
    return finite.get();
  }

  private float[] scores(ScoreModel kept, int user) {
    float[] scores = new float[kept.shape().items()];
    try {
      kept.scoreRow(user, scores);
      return scores;
    } catch (RuntimeException e) {
      throw PecfException.pluginFault(
              "%s returned a model that cannot score user %d: %s%s", owner, user, e, tell())
          .causedBy(e);
    }
  }

  private ScoreModel transferred(BufferAllocator allocator) {
    try {
      return model.transferTo(allocator);
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

  private static double largest(SparseMatrix matrix) {
    float largest = 0;
    for (int p = 0; p < matrix.count(); p++) {
      largest = Math.max(largest, Math.abs(matrix.valueAt(p)));
    }
    return largest <= Float.MAX_VALUE ? largest : Double.POSITIVE_INFINITY;
  }

  private static int longestRow(SparseMatrix matrix) {
    int longest = 0;
    for (int row = 0; row < matrix.rows(); row++) {
      longest = Math.max(longest, matrix.rowStart(row + 1) - matrix.rowStart(row));
    }
    return longest;
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
