package org.pecf.plugin.backend.cuda.device;

/**
 * The largest pieces in which work is done; memory may make them smaller, but for panels.
 *
 * @param rows the most rows that are solved at once: more would not make products faster
 * @param panel the rows of the other side that are multiplied at once: fixed, so that sums are
 *     taken in the same order at any memory size
 * @param cells the most cells of a tile of fields
 */
public record TileSizes(int rows, int panel, long cells) {
  /** The sizes that keep a device busy. */
  public static final TileSizes USEFUL = new TileSizes(4096, 512, 1 << 24);

  /** Return the most useful rows of a tile with the given number of items per row. */
  public int fieldRows(int rows, int items) {
    return (int) Math.max(1, Math.min(rows, cells / items));
  }
}
