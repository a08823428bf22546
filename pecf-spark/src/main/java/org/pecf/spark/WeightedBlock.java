package org.pecf.spark;

import java.io.Serializable;

/**
 * The cells of a block that differ from the background: their weights, and weights times targets.
 */
final class WeightedBlock implements Serializable {
  private static final long serialVersionUID = 1;

  private final CellBlock cells;
  private final float[] weights;
  private final float[] pulls;

  /**
   * Create a block.
   *
   * @param weights the weight of each cell, or nothing if all are positives of the same weight
   * @param pulls the weight of each cell times its target: perhaps the weights themselves
   */
  WeightedBlock(CellBlock cells, float[] weights, float[] pulls) {
    this.cells = cells;
    this.weights = weights;
    this.pulls = pulls;
  }

  /** Return a block of positives that all weigh the same. */
  static WeightedBlock plain(CellBlock cells) {
    return new WeightedBlock(cells, new float[0], new float[0]);
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

  /** Return the weight of a cell times its target, see {@link #weight}. */
  float pull(int position, float same) {
    return isPlain() ? same : pulls[position];
  }
}
