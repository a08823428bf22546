package org.pecf.spark;

import java.io.Serializable;

/** The factors of the rows of one block, and what is known of their half-sweep. */
final class FactorBlock implements Serializable {
  private static final long serialVersionUID = 1;

  private final int first;
  private final float[] rows;
  private final double explained;
  private final double penalty;

  /**
   * Create a block.
   *
   * @param first its first row
   * @param rows the factors, row after row
   * @param explained the amount by which the rows lower the objective
   * @param penalty the sum of the rows' penalties
   */
  FactorBlock(int first, float[] rows, double explained, double penalty) {
    this.first = first;
    this.rows = rows;
    this.explained = explained;
    this.penalty = penalty;
  }

  /** Return the first row. */
  int first() {
    return first;
  }

  /** Return the factors, row after row. */
  float[] rows() {
    return rows;
  }

  /** Return the amount by which the rows lower the objective. */
  double explained() {
    return explained;
  }

  /** Return the sum of the rows' penalties. */
  double penalty() {
    return penalty;
  }
}
