package org.pecf.spark;

import java.io.Serializable;
import java.util.BitSet;

/** The cells of a block whose weight is not the background's, and their weights. */
final class WeightedBlock implements Serializable {
  private static final long serialVersionUID = 1;

  private final CellBlock cells;
  private final float[] weights;
  private final BitSet zeros;

  /**
   * Create a block.
   *
   * @param weights the weight of each cell, or nothing if all positives weigh the same
   * @param zeros the positions of cells that are no positives
   */
  WeightedBlock(CellBlock cells, float[] weights, BitSet zeros) {
    this.cells = cells;
    this.weights = weights;
    this.zeros = zeros;
  }

  /** Return a block of positives that all weigh the same. */
  static WeightedBlock plain(CellBlock cells) {
    return new WeightedBlock(cells, new float[0], new BitSet());
  }

  /** Return the cells. */
  CellBlock cells() {
    return cells;
  }

  /** Return whether all cells weigh the same. */
  boolean isPlain() {
    return weights.length == 0;
  }

  /**
   * Return the weight of a cell.
   *
   * @param same the weight that cells have if they all weigh the same
   */
  float weight(int position, float same) {
    return isPlain() ? same : weights[position];
  }

  /** Return whether a cell is a positive. */
  boolean isPositive(int position) {
    return !zeros.get(position);
  }
}
