package org.pecf.engine.recommend.foldin;

/** The weights of the cells of one row under one member. */
public interface RowWeights {
  /**
   * Return the weight of a cell.
   *
   * @param rating 1 for a positive, 0 for a zero
   */
  double at(int cell, int rating);

  /** Return the weight of zeros that are no exceptions, but for the factor of their row. */
  double background();

  /** Return whether a zero has a weight too far from that of the background. */
  boolean isException(int cell);
}
