package org.pecf.spark;

import java.io.Serializable;

/** Rows of factors on their way from one block to another. */
final class RowMessage implements Serializable {
  private static final long serialVersionUID = 1;

  private final int source;
  private final float[] rows;

  /**
   * Create a message.
   *
   * @param source the number of the block that sends
   * @param rows the rows, one after the other
   */
  RowMessage(int source, float[] rows) {
    this.source = source;
    this.rows = rows;
  }

  /** Return the number of the block that sends. */
  int source() {
    return source;
  }

  /** Return the rows, one after the other. */
  float[] rows() {
    return rows;
  }
}
