package org.pecf.backend.leastsquares;

import java.util.Arrays;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.LinearAlgebra;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.ScratchFloats;
import org.pecf.backend.algebra.Worker;

/**
 * Gramians {@code V'V} of tall matrices, and their products {@code U'V}, in fixed groups of rows.
 *
 * <p>The products of a group are made in single precision. They are added in double precision, in
 * order: the groups of a run, then the runs. So the bits depend on the rows and their order alone,
 * not on how rows are spread over threads, blocks or machines. A triangle is the upper one, row
 * after row without gaps.
 */
public final class Gramians {
  /** The rows of a group. */
  public static final int GROUP = GroupedSum.GROUP;

  /** The groups of a run. */
  public static final int RUN = 16;

  private final LinearAlgebra.Caller algebra;
  private final ScratchFloats square;
  private float[] copy = {};

  private Gramians(Worker worker) {
    this.algebra = worker.algebra();
    this.square = worker.scratch();
  }

  /** Return the Gramians of a worker. */
  public static Gramians of(Worker worker) {
    return worker.kernel(Gramians.class, Gramians::new);
  }

  /** Return the number of elements of a triangle. */
  public static int size(int rank) {
    return rank * (rank + 1) / 2;
  }

  /**
   * Return the triangle of a matrix, computed by all workers.
   *
   * @param workers one per thread
   */
  public static double[] triangle(Parallelism parallelism, Worker[] workers, FloatMatrix matrix) {
    int rows = GROUP * RUN;
    double[][] runs = new double[(matrix.rows() + rows - 1) / rows][];
    parallelism.forEach(
        runs.length,
        (run, number) -> {
          Gramians gramians = of(workers[number]);
          double[] sum = new double[size(matrix.columns())];
          int end = Math.min(matrix.rows(), (run + 1) * rows);
          for (int first = run * rows; first < end; first += GROUP) {
            int count = Math.min(GROUP, end - first);
            add(gramians.ofGroup(MatrixSlice.rows(matrix, first, count)), sum);
          }
          runs[run] = sum;
        });
    double[] sum = new double[size(matrix.columns())];
    for (double[] run : runs) {
      Arrays.setAll(sum, k -> sum[k] + run[k]);
    }
    return sum;
  }

  /** Return the product {@code left' right} of two matrices of as many rows, row after row. */
  public double[] product(FloatMatrix left, FloatMatrix right) {
    double[] sum = new double[left.columns() * right.columns()];
    double[] run = new double[sum.length];
    for (int first = 0; first < left.rows(); first += GROUP) {
      int count = Math.min(GROUP, left.rows() - first);
      add(
          productOfGroup(
              MatrixSlice.rows(left, first, count), MatrixSlice.rows(right, first, count)),
          run);
      if (first + count == left.rows() || (first / GROUP + 1) % RUN == 0) {
        for (int k = 0; k < sum.length; k++) {
          sum[k] += run[k];
          run[k] = 0;
        }
      }
    }
    return sum;
  }

  /**
   * Return the product {@code left' right} of one group, row after row.
   *
   * @param left at most {@link #GROUP} rows without gaps. Not modified.
   * @param right as many rows. Not modified.
   */
  public float[] productOfGroup(MatrixSlice left, MatrixSlice right) {
    int size = left.columns() * right.columns();
    OffHeapFloats memory = square.floats(size);
    algebra.multiply(
        1,
        left.transpose(),
        right,
        0,
        MatrixSlice.of(memory.slice(0, size), left.columns(), right.columns()));
    float[] product = new float[size];
    memory.read(0, product, 0, size);
    return product;
  }

  /**
   * Return the triangle of one group.
   *
   * @param rows at most {@link #GROUP} rows without gaps. Not modified.
   */
  public float[] ofGroup(MatrixSlice rows) {
    int rank = rows.columns();
    OffHeapFloats memory = square.floats((long) rank * rank);
    FloatSlice product = memory.slice(0, (long) rank * rank);
    product.clear();
    algebra.addOuterProducts(1, rows, product);
    if (copy.length < rank * rank) {
      copy = new float[rank * rank];
    }
    memory.read(0, copy, 0, rank * rank);
    float[] triangle = new float[size(rank)];
    for (int row = 0, at = 0; row < rank; at += rank - row, row++) {
      System.arraycopy(copy, row * rank + row, triangle, at, rank - row);
    }
    return triangle;
  }

  /**
   * Add the triangle or the product of a group to a sum.
   *
   * @param group Not modified.
   * @param sum Modified.
   */
  public static void add(float[] group, double[] sum) {
    for (int k = 0; k < sum.length; k++) {
      sum[k] += group[k];
    }
  }
}
