package org.pecf.plugin.baselines;

import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseMatrix;
import org.pecf.api.run.RunContext;

/**
 * The overlaps of the items, or of the users, of a grid: {@code o_ab = sum_v w_v x_av x_bv}, where
 * v runs over the other side, and x is one on positives.
 *
 * <p>A row of o is computed at a time, from the positives alone; never is more of o kept than a row
 * per thread.
 */
final class Overlaps {
  private static final int ROWS_A_TASK = 32;

  private final Positives rows;
  private final Positives others;
  private final double[] weights;

  /**
   * Prepare the overlaps.
   *
   * @param side the side whose users or items overlap
   * @param weights the weight of each member of the other side. Not modified.
   */
  Overlaps(SparseCells cells, Side side, double[] weights) {
    this.rows = Positives.of(cells, side);
    this.others = Positives.of(cells, side == Side.USERS ? Side.ITEMS : Side.USERS);
    this.weights = weights;
  }

  /** Return the number of rows. */
  int size() {
    return rows.rows();
  }

  /**
   * Add a row to sums.
   *
   * @param sums Modified.
   */
  void addRow(int row, RowSums sums) {
    int end = rows.start(row + 1);
    for (int p = rows.start(row); p < end; p++) {
      int other = rows.member(p);
      double weight = weights[other];
      int last = others.start(other + 1);
      for (int q = others.start(other); q < last; q++) {
        sums.add(others.member(q), weight);
      }
    }
  }

  /** A measure of similarity. */
  @FunctionalInterface
  interface Measure {
    /** Return how similar a row is to another from their overlap, which is not zero. */
    double of(int row, int other, double overlap);
  }

  /**
   * Return the similarities of every row to its nearest neighbours, the most similar other rows; of
   * equals the first.
   */
  SparseMatrix nearest(int neighbours, Measure measure, RunContext run) {
    int limit = Math.min(neighbours, size());
    Scratch[] scratch = new Scratch[run.parallelism().threads()];
    try (SparseMatrix.Builder builder =
        SparseMatrix.Builder.ofRows(run.allocator(), size(), size(), limit)) {
      run.parallelism()
          .forEach(
              (size() + ROWS_A_TASK - 1) / ROWS_A_TASK,
              (task, worker) -> {
                if (scratch[worker] == null) {
                  scratch[worker] = new Scratch(size(), limit);
                }
                int end = Math.min(size(), (task + 1) * ROWS_A_TASK);
                for (int row = task * ROWS_A_TASK; row < end; row++) {
                  setRow(row, measure, scratch[worker], builder);
                }
              });
      return builder.build();
    }
  }

  /** The working memory of a thread. */
  private static final class Scratch {
    final RowSums sums;
    final Neighbours nearest;
    final float[] similarities;
    final int[] columns;
    final float[] values;

    Scratch(int size, int limit) {
      sums = new RowSums(size);
      nearest = new Neighbours(limit);
      similarities = new float[size];
      columns = new int[limit];
      values = new float[limit];
    }
  }

  private void setRow(int row, Measure measure, Scratch scratch, SparseMatrix.Builder builder) {
    addRow(row, scratch.sums);
    scratch.sums.drainTo(
        (other, overlap) -> {
          if (other != row) {
            float similarity = (float) measure.of(row, other, overlap);
            scratch.similarities[other] = similarity;
            scratch.nearest.offer(other, similarity);
          }
        });
    int count = scratch.nearest.drainTo(scratch.columns);
    for (int k = 0; k < count; k++) {
      scratch.values[k] = scratch.similarities[scratch.columns[k]];
    }
    builder.setRow(row, count, scratch.columns, scratch.values);
  }
}
