package org.pecf.plugin.graph;

/**
 * The exponential function in single precision for arguments from -80 to 0: fast, and the same on
 * every machine.
 *
 * <p>{@code e^x = 2^k 2^f} with k whole and {@code |f| <= 1/2}, and {@code 2^f} by its Taylor
 * series up to the sixth power, which is off by 1.3e-7 of the value at most.
 */
final class Exponential {
  private static final float PER_BIT = 1.4426950408889634f;

  private Exponential() {}

  /** Return {@code e^x}, off by about {@code 1e-6} of the value. */
  static float of(float x) {
    float bits = x * PER_BIT;
    int whole = (int) (bits - 0.5f);
    float f = bits - whole;
    float power =
        1
            + f
                * (0.6931471806f
                    + f
                        * (0.2402265070f
                            + f
                                * (0.0555041087f
                                    + f
                                        * (0.0096181291f
                                            + f * (0.0013333558f + f * 0.0001540353f)))));
    return power * Float.intBitsToFloat((whole + 127) << 23);
  }
}
