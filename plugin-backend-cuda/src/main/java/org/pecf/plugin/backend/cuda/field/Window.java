package org.pecf.plugin.backend.cuda.field;

/**
 * Name a rectangle of the grid.
 *
 * @param firstUser the user of its first row
 * @param users how many rows
 * @param firstItem the item of its first column
 * @param items how many columns
 */
public record Window(int firstUser, int users, int firstItem, int items) {
  /** Return how many cells there are. */
  public long cells() {
    return (long) users * items;
  }

  /** Return how many words hold marks of all cells, one bit each, rows starting at a new word. */
  public long markWords() {
    return users * markWords(items);
  }

  /** Return how many words hold the marks of a row. */
  static long markWords(int items) {
    return (items + 31L) / 32;
  }
}
