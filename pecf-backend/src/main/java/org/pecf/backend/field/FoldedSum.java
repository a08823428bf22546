package org.pecf.backend.field;

/**
 * The sum of many values, folded by quarters, which the JIT vectorises and which rounds less than
 * one running sum; the last ones are added in double precision.
 */
public final class FoldedSum {
  /** The number of values that are added one by one. */
  private static final int LAST = 64;

  private FoldedSum() {}

  /**
   * Add values.
   *
   * @param values Modified.
   * @param scratch room for a quarter of the values. Modified.
   */
  public static double of(float[] values, float[] scratch, int count) {
    float[] from = values;
    float[] to = scratch;
    int left = count;
    while (left > LAST) {
      int quarter = left / 4;
      fold(from, to, quarter);
      for (int p = 4 * quarter; p < left; p++) {
        to[p - 4 * quarter] += from[p];
      }
      float[] other = from;
      from = to;
      to = other;
      left = quarter;
    }
    double sum = 0;
    for (int p = 0; p < left; p++) {
      sum += from[p];
    }
    return sum;
  }

  private static void fold(float[] from, float[] to, int quarter) {
    for (int p = 0; p < quarter; p++) {
      to[p] = from[p] + from[p + quarter] + (from[p + 2 * quarter] + from[p + 3 * quarter]);
    }
  }
}
