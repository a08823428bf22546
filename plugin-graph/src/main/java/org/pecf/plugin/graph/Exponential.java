package org.pecf.plugin.graph;

/**
 * The function {@code e^(s (c - 1))} of cosines c, in single precision: fast, since every step is a
 * sum or a product of whole arrays, which any JIT vectorises, and the same on every machine.
 *
 * <p>{@code e^x = (e^(x / 2^n))^(2^n)}, with n so large that {@code x / 2^n} is within 5/8 of -5/8,
 * where a Taylor series of degree 8 is off by less than rounding. Squaring n times doubles the
 * relative error as often.
 *
 * @param scale s, above 0
 * @param squarings n
 */
record Exponential(float scale, int squarings) {
  private static final float CENTRE = 0.625f;

  /** The value at the centre. */
  private static final float FACTOR = 0.53526142851899f;

  /** Return the function for cosines, which are not below -1. */
  static Exponential ofCosines(float scale) {
    int squarings = 0;
    while (2 * scale > 2 * CENTRE * (1 << squarings)) {
      squarings++;
    }
    return new Exponential(scale, squarings);
  }

  /**
   * Replace cosines by the function. What is above 1 by rounding counts as 1.
   *
   * @param values Modified.
   */
  void replace(float[] values) {
    float share = scale / (1 << squarings);
    for (int k = 0; k < values.length; k++) {
      float z = Math.min(0, (values[k] - 1) * share) + CENTRE;
      float power = 1.9841270e-4f + z * 2.4801587e-5f;
      power = 1.3888889e-3f + z * power;
      power = 8.3333333e-3f + z * power;
      power = 4.1666667e-2f + z * power;
      power = 1.6666667e-1f + z * power;
      power = 0.5f + z * power;
      power = 1 + z * power;
      values[k] = FACTOR * (1 + z * power);
    }
    for (int n = 0; n < squarings; n++) {
      for (int k = 0; k < values.length; k++) {
        values[k] *= values[k];
      }
    }
  }
}
