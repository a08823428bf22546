package org.pecf.plugin.baselines;

import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;

/**
 * An item-to-item model, {@code score_ij = sum_k x_ik b_kj} with x one on positives and zero
 * elsewhere, as factors: a user's are the dense row of x, an item's the column of b.
 */
final class ItemToItem {
  private static final int ROWS_A_TASK = 32;

  private ItemToItem() {}

  /** Return the bytes of a model's factors: rank is the number of items, or little more. */
  static long bytes(GridShape shape, int rank) {
    return FloatMatrix.bytes(shape.users(), rank) + FloatMatrix.bytes(shape.items(), rank);
  }

  /**
   * Allocate a model of which the users' factors are set and the items' are zero.
   *
   * @param rank the number of items, or more
   * @throws PecfException with {@link ErrorCode#RESOURCES} and the figures if it does not fit
   */
  static FactorModel allocate(
      BufferAllocator allocator, String filter, GridShape shape, SparseCells positives, int rank) {
    long bytes = bytes(shape, rank);
    if (bytes > allocator.getHeadroom()) {
      throw PecfException.resources(
          "%s holds one number for every pair of items and every cell: %d MiB for %d users and %d"
              + " items, where %d MiB are left. Allow more memory, leave out rare items, or use"
              + " another filter.",
          filter, bytes >> 20, shape.users(), shape.items(), allocator.getHeadroom() >> 20);
    }
    FactorModel model = FactorModel.allocate(allocator, shape, rank);
    for (int user = 0; user < shape.users(); user++) {
      for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
        model.users().set(user, positives.itemAt(k), 1);
      }
    }
    return model.withRules(
        new RowRules(
            new RowRule.Positives(rank - shape.items()),
            new RowRule.Impossible(
                filter + " relates items by the users they had when it was trained")));
  }

  /** A function that computes a row of a matrix. */
  @FunctionalInterface
  interface RowFunction {
    /**
     * Compute the row of an item from the number of users it shares with each item.
     *
     * @param together how many users have both items; the item itself counts its own. Not modified.
     * @param worker which thread: the key to scratch memory
     * @param row zeros at first. Modified.
     */
    void compute(int item, int[] together, int worker, float[] row);
  }

  /**
   * Set the rows of a matrix from the items' co-occurrences {@code x'x}, a row at a time: never is
   * more of x'x kept than a row a thread.
   *
   * @param target one row an item, at least as many columns. Modified.
   */
  static void fillRows(
      SparseCells positives, Parallelism parallelism, FloatMatrix target, RowFunction function) {
    int items = positives.items();
    int[][] counts = new int[parallelism.threads()][];
    float[][] rows = new float[parallelism.threads()][];
    parallelism.forEach(
        (items + ROWS_A_TASK - 1) / ROWS_A_TASK,
        (index, worker) -> {
          if (counts[worker] == null) {
            counts[worker] = new int[items];
            rows[worker] = new float[target.columns()];
          }
          int end = Math.min(items, (index + 1) * ROWS_A_TASK);
          for (int item = index * ROWS_A_TASK; item < end; item++) {
            count(positives, item, counts[worker]);
            Arrays.fill(rows[worker], 0);
            function.compute(item, counts[worker], worker, rows[worker]);
            target.writeRows(item, 1, rows[worker]);
          }
        });
  }

  private static void count(SparseCells positives, int item, int[] together) {
    Arrays.fill(together, 0);
    for (int k = positives.itemStart(item); k < positives.itemStart(item + 1); k++) {
      int user = positives.userAt(k);
      int end = positives.userStart(user + 1);
      for (int other = positives.userStart(user); other < end; other++) {
        together[positives.itemAt(other)]++;
      }
    }
  }
}
