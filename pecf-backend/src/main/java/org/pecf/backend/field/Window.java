package org.pecf.backend.field;

/**
 * A rectangle of the grid.
 *
 * @param firstUser the user of its first row
 * @param users the number of rows
 * @param firstItem the item of its first column
 * @param items the number of columns
 */
public record Window(int firstUser, int users, int firstItem, int items) {
  /** Return the number of cells. */
  public long cells() {
    return (long) users * items;
  }
}
