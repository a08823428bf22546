package org.pecf.plugin.backend.cpu.leastsquares;

import org.pecf.api.field.CellField;
import org.pecf.api.field.Observed;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.algebra.OffHeapFloats;

/**
 * The products w t of the cells where targets are not zero, by user and by item: right-hand sides
 * are sums over these cells alone.
 */
final class SparseTargets implements AutoCloseable {
  private final SparseCells cells;
  private final OffHeapFloats byUser;
  private final OffHeapFloats byItem;
  private final double totalSquares;

  private SparseTargets(
      SparseCells cells, OffHeapFloats byUser, OffHeapFloats byItem, double totalSquares) {
    this.cells = cells;
    this.byUser = byUser;
    this.byItem = byItem;
    this.totalSquares = totalSquares;
  }

  /** Evaluate the weights at the targets' cells. */
  static SparseTargets of(CpuContext context, CellField weights, Observed targets) {
    SparseCells cells = targets.cells();
    OffHeapFloats byUser = OffHeapFloats.allocate(context.allocator(), cells.count());
    OffHeapFloats byItem = null;
    try {
      byItem = OffHeapFloats.allocate(context.allocator(), cells.count());
      context.kernels().gather(weights, cells, byUser.buffer());
      int[] next = new int[cells.items()];
      for (int item = 0; item < next.length; item++) {
        next[item] = cells.itemStart(item);
      }
      double squares = 0;
      for (int p = 0; p < cells.count(); p++) {
        float product = byUser.get(p) * targets.inside();
        squares += (double) product * targets.inside();
        byUser.set(p, product);
        byItem.set(next[cells.itemAt(p)]++, product);
      }
      return new SparseTargets(cells, byUser, byItem, squares);
    } catch (RuntimeException | Error e) {
      byUser.close();
      if (byItem != null) {
        byItem.close();
      }
      throw e;
    }
  }

  /** Return {@code sum w t^2}. */
  double totalSquares() {
    return totalSquares;
  }

  /**
   * Add {@code sum_j w t v_j} of one row to a vector.
   *
   * @param other the factors of the other side, row after row. Not modified.
   * @param right Modified.
   */
  void addTo(Side side, int row, float[] other, int rank, float[] right) {
    boolean users = side == Side.USERS;
    int start = users ? cells.userStart(row) : cells.itemStart(row);
    int end = users ? cells.userStart(row + 1) : cells.itemStart(row + 1);
    OffHeapFloats products = users ? byUser : byItem;
    for (int p = start; p < end; p++) {
      float product = products.get(p);
      int from = (users ? cells.itemAt(p) : cells.userAt(p)) * rank;
      for (int k = 0; k < rank; k++) {
        right[k] += product * other[from + k];
      }
    }
  }

  @Override
  public void close() {
    byUser.close();
    byItem.close();
  }
}
