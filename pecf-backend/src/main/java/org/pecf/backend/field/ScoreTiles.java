package org.pecf.backend.field;

/**
 * The tiles in which the scores of all cells are computed. The order of additions within a score
 * depends on the place of its cell in its tile, so the tiles are the same for any number of threads
 * and machines, and start at multiples of their sizes.
 */
public final class ScoreTiles {
  /** The users of a tile. */
  public static final int USERS = 128;

  /** The items of a tile. */
  public static final int ITEMS = 1024;

  private ScoreTiles() {}
}
