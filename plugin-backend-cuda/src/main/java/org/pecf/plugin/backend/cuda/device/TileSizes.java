package org.pecf.plugin.backend.cuda.device;

/**
 * The largest pieces in which work is done; memory may make them smaller, but for panels and parts.
 *
 * @param rows the most rows that are solved at once: more would not make products faster
 * @param panel the rows of the other side that are multiplied at once at most ranks: fixed, so that
 *     sums are taken in the same order at any memory size
 * @param cells the most cells of a tile of fields
 * @param part the exceptions of a row that one block of threads adds up: fixed for the same reason
 */
public record TileSizes(int rows, int panel, long cells, int part) {
  /** The sizes that keep a device busy. */
  public static final TileSizes USEFUL = new TileSizes(4096, 2048, 1 << 24, 4096);

  /** The most memory for a panel, and its rows at ranks for which that would be too little. */
  private static final long PANEL_BYTES = 128L << 20;

  private static final int LEAST_PANEL = 512;

  /** Return the rows of a panel, given the bytes of each: of them alone, not of free memory. */
  public int panelRows(long rowBytes) {
    return (int) Math.min(panel, Math.max(LEAST_PANEL, PANEL_BYTES / rowBytes));
  }

  /** Return the most useful rows of a tile with the given number of items per row. */
  public int fieldRows(int rows, int items) {
    return (int) Math.max(1, Math.min(rows, cells / items));
  }
}
