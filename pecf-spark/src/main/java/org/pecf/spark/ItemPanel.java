package org.pecf.spark;

import java.io.Serializable;

/** The factors of some items, member by member, on their way to a block of users. */
final class ItemPanel implements Serializable {
  private static final long serialVersionUID = 1;

  private final int first;
  private final int count;
  private final float[][] rows;

  /**
   * Create a panel.
   *
   * @param first the first item
   * @param count the number of items
   * @param rows the factors by member, row after row
   */
  ItemPanel(int first, int count, float[][] rows) {
    this.first = first;
    this.count = count;
    this.rows = rows;
  }

  /** Return the first item. */
  int first() {
    return first;
  }

  /** Return the number of items. */
  int count() {
    return count;
  }

  /** Return the factors of a member, row after row. */
  float[] rows(int member) {
    return rows[member];
  }
}
