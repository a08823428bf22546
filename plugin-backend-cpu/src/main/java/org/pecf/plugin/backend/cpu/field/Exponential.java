package org.pecf.plugin.backend.cpu.field;

/** Compute exponentials to float precision, several times faster than {@link Math#exp}. */
public final class Exponential {
  private static final double LOG2_E = 1.4426950408889634;
  private static final double LN_2 = 0.6931471805599453;

  private Exponential() {}

  /** Return e^x, correct to about one unit in the last place of a float; 0 below e^-87. */
  public static float of(double x) {
    if (!(x > -87)) {
      return Double.isNaN(x) ? Float.NaN : 0;
    }
    if (x > 88) {
      return Float.POSITIVE_INFINITY;
    }
    double t = x * LOG2_E;
    long power = (long) (t < 0 ? t - 0.5 : t + 0.5);
    double r = (t - power) * LN_2;
    double series =
        1
            + r
                * (1
                    + r
                        * (0.5
                            + r
                                * (1.0 / 6
                                    + r
                                        * (1.0 / 24
                                            + r * (1.0 / 120 + r * (1.0 / 720 + r / 5040))))));
    return (float) (series * Double.longBitsToDouble((power + 1023) << 52));
  }
}
