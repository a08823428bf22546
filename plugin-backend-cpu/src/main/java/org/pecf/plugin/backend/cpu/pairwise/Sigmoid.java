package org.pecf.plugin.backend.cpu.pairwise;

/**
 * A table of 1 / (1 + e^x) for x from 0 to {@link #LIMIT}, interpolated between its entries.
 *
 * <p>With entries h apart, the relative error is at most about h^2 / 8, here 2e-6: far below the
 * noise of a gradient step. Entries come from {@link StrictMath}, so they are the same everywhere.
 */
final class Sigmoid {
  /** The end of the table: beyond it a step is negligible, below 1e-10. */
  static final float LIMIT = 24;

  private static final int ENTRIES_PER_UNIT = 256;
  private static final float[] TABLE = table();

  private Sigmoid() {}

  private static float[] table() {
    float[] table = new float[(int) LIMIT * ENTRIES_PER_UNIT + 1];
    for (int k = 0; k < table.length; k++) {
      table[k] = (float) (1 / (1 + StrictMath.exp((double) k / ENTRIES_PER_UNIT)));
    }
    return table;
  }

  /**
   * Return 1 / (1 + e^x).
   *
   * @param x at least 0 and less than {@link #LIMIT}
   */
  static float tail(float x) {
    float place = x * ENTRIES_PER_UNIT;
    int below = (int) place;
    float entry = TABLE[below];
    return entry + (place - below) * (TABLE[below + 1] - entry);
  }
}
