package org.pecf.api.memory;

import java.util.Arrays;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;
import org.pecf.api.run.RunContext;

/**
 * The product of two sparse matrices, of which only the strongest elements of each row are kept, or
 * none at all: graphs of items or users, {@code A'A}, whose full size no memory holds.
 *
 * <p>A row is computed at a time, by as many threads as there are. Each element is added up in
 * double precision, in the order of the entries of the left row, so its bits depend on the two
 * matrices alone.
 *
 * @param left one row per row of the product, borrowed
 * @param right one row per column of left, borrowed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SparseProduct(SparseMatrix left, SparseMatrix right) {
  private static final int ROWS_A_TASK = 32;

  public SparseProduct {
    if (left.columns() != right.rows()) {
      throw new IllegalArgumentException(
          left.columns() + " columns and " + right.rows() + " rows have no product");
    }
  }

  /** A measure of how strong an element is. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  @FunctionalInterface
  public interface Measure {
    /**
     * Return the value to keep of an element that is not zero; 0 leaves the element out. Called by
     * several threads.
     */
    float of(int row, int column, double sum);
  }

  /**
   * The strongest elements of each row, by absolute value.
   *
   * @param matrix the elements kept, owned by the caller
   * @param dropped the share of the sum of all absolute values that was not kept, from 0 to 1
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public record Strongest(SparseMatrix matrix, double dropped) {}

  /** A reader of the rows of a product. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  @FunctionalInterface
  public interface RowReader {
    /**
     * Read a row. Called by several threads.
     *
     * @param count the number of elements that are not zero
     * @param columns their columns, in no order. Not modified.
     * @param sums their values. Not modified.
     */
    void read(int row, int count, int[] columns, double[] sums);
  }

  /**
   * Use the overlaps of the items, or of the users, of a grid: {@code o_ab = sum_v w_v x_av x_bv},
   * where v runs over the other side, and x is one on positives.
   *
   * @param side the side whose rows overlap
   * @param weights the weight of each row of the other side. Not modified.
   * @param allocator the owner of what the product is made from, which is closed in the end
   */
  public static <T> T ofOverlaps(
      SparseCells cells,
      Side side,
      double[] weights,
      BufferAllocator allocator,
      Function<SparseProduct, T> use) {
    float[] factors = new float[weights.length];
    for (int v = 0; v < factors.length; v++) {
      factors[v] = (float) weights[v];
    }
    try (SparseMatrix byUser = SparseMatrix.ofCells(allocator, cells);
        SparseMatrix byItem = byUser.transpose(allocator);
        SparseMatrix weighted =
            (side == Side.ITEMS ? byUser : byItem).scaledRows(allocator, factors)) {
      return use.apply(new SparseProduct(side == Side.ITEMS ? byItem : byUser, weighted));
    }
  }

  /** Compute all rows and pass them on, in any order. */
  public void forEachRow(RowReader reader, RunContext run) {
    forEachRow(run, (row, rows) -> reader.read(row, rows.count, rows.columns, rows.sums));
  }

  /**
   * Return the strongest elements of each row; of equally strong ones those of the first columns.
   *
   * @param limit the most elements of a row
   * @param run the source of memory and threads
   */
  public Strongest strongest(int limit, Measure measure, RunContext run) {
    int most = Math.min(limit, right.columns());
    double[] totals = new double[left.rows()];
    double[] kept = new double[left.rows()];
    try (SparseMatrix.Builder builder =
        SparseMatrix.Builder.ofRows(run.allocator(), left.rows(), right.columns(), most)) {
      forEachRow(
          run,
          (row, rows) -> {
            totals[row] = rows.measure(row, measure);
            kept[row] = builder.setStrongest(row, rows.count, rows.columns, rows.values);
          });
      double total = Arrays.stream(totals).sum();
      double dropped = total == 0 ? 0 : 1 - Math.min(1, Arrays.stream(kept).sum() / total);
      return new Strongest(builder.build(), dropped);
    }
  }

  private interface Visitor {
    void visit(int row, Rows rows);
  }

  private void forEachRow(RunContext run, Visitor visitor) {
    SparseMatrix.Entries ofLeft = left.entries();
    SparseMatrix.Entries ofRight = right.entries();
    Rows[] scratch = new Rows[run.parallelism().threads()];
    run.parallelism()
        .forEach(
            (left.rows() + ROWS_A_TASK - 1) / ROWS_A_TASK,
            (task, worker) -> {
              if (scratch[worker] == null) {
                scratch[worker] = new Rows(right.columns());
              }
              int end = Math.min(left.rows(), (task + 1) * ROWS_A_TASK);
              for (int row = task * ROWS_A_TASK; row < end; row++) {
                scratch[worker].compute(row, ofLeft, ofRight);
                visitor.visit(row, scratch[worker]);
              }
            });
  }

  /** The working memory of a thread: one row of the product. */
  private static final class Rows {
    private final double[] dense;
    private final float[] values;
    private int[] columns;
    private double[] sums;
    private int count;

    Rows(int size) {
      dense = new double[size];
      values = new float[size];
      columns = new int[size];
      sums = new double[size];
    }

    /** Compute a row: its elements that are not zero, in no order. */
    void compute(int row, SparseMatrix.Entries left, SparseMatrix.Entries right) {
      int met = 0;
      int end = left.start(row + 1);
      for (int p = left.start(row); p < end; p++) {
        int inner = left.column(p);
        double factor = left.value(p);
        int first = right.start(inner);
        int last = right.start(inner + 1);
        if (met + last - first >= columns.length) {
          // Elements that cancel out on the way are met again.
          columns = Arrays.copyOf(columns, Math.max(2 * columns.length, met + last - first + 1));
        }
        int[] list = columns;
        for (int q = first; q < last; q++) {
          int column = right.column(q);
          double before = dense[column];
          list[met] = column;
          met += before == 0 ? 1 : 0;
          dense[column] = before + factor * right.value(q);
        }
      }
      if (sums.length < columns.length) {
        sums = new double[columns.length];
      }
      count = 0;
      for (int k = 0; k < met; k++) {
        int column = columns[k];
        double sum = dense[column];
        if (sum != 0) {
          dense[column] = 0;
          columns[count] = column;
          sums[count++] = sum;
        }
      }
    }

    /** Measure the row's elements, leave out zeros, and return the sum of absolute values. */
    double measure(int row, Measure measure) {
      double total = 0;
      int left = 0;
      for (int k = 0; k < count; k++) {
        int column = columns[k];
        float value = measure.of(row, column, sums[k]);
        if (value != 0) {
          values[column] = value;
          columns[left++] = column;
          total += Math.abs(value);
        }
      }
      count = left;
      return total;
    }
  }
}
