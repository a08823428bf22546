package org.pecf.backend.field;

/**
 * The function {@code exp(-c x)} of many values at least 0, without calls or branches, so that the
 * JIT vectorises it.
 *
 * <p>{@code exp(-y) = P(y / 2^k)^(2^k)}: P is the Taylor polynomial about the middle of the range,
 * and the power is taken by squaring. Beyond the range the function stays at its value there.
 */
public final class Decay {
  /** Half of the longest range on which the polynomial is good enough. */
  private static final double RADIUS = 0.65;

  /** The squarings that are taken together with the polynomial. */
  private static final int LEAST_SQUARINGS = 4;

  private final float factor;
  private final float range;
  private final float middle;
  private final int squarings;
  private final float[] taylor = new float[9];

  /**
   * Prepare the function.
   *
   * @param rate c
   * @param most the y up to which the function falls
   */
  public Decay(double rate, double most) {
    int powers = LEAST_SQUARINGS;
    while (most / (1 << powers) > 2 * RADIUS) {
      powers++;
    }
    this.squarings = powers;
    this.range = (float) (most / (1 << powers));
    this.middle = range / 2;
    this.factor = (float) (rate / (1 << powers));
    double derivative = Math.exp(-middle);
    for (int n = 0; n < taylor.length; n++) {
      taylor[n] = (float) derivative;
      derivative /= -(n + 1);
    }
  }

  /**
   * Replace values by those of the function.
   *
   * @param values at least 0. Modified.
   */
  public void apply(float[] values, int count) {
    root(values, count);
    for (int k = LEAST_SQUARINGS; k < squarings; k++) {
      square(values, count);
    }
  }

  /** Replace values by {@code exp(-y / 2^k)}, already squared four times. */
  private void root(float[] values, int count) {
    float by = factor;
    float most = range;
    float centre = middle;
    float a0 = taylor[0];
    float a1 = taylor[1];
    float a2 = taylor[2];
    float a3 = taylor[3];
    float a4 = taylor[4];
    float a5 = taylor[5];
    float a6 = taylor[6];
    float a7 = taylor[7];
    float a8 = taylor[8];
    for (int p = 0; p < count; p++) {
      float t = Math.min(values[p] * by, most) - centre;
      float y =
          ((((((((a8 * t + a7) * t + a6) * t + a5) * t + a4) * t + a3) * t + a2) * t + a1)) * t
              + a0;
      float y2 = y * y;
      float y4 = y2 * y2;
      float y8 = y4 * y4;
      values[p] = y8 * y8;
    }
  }

  private static void square(float[] values, int count) {
    for (int p = 0; p < count; p++) {
      values[p] *= values[p];
    }
  }
}
