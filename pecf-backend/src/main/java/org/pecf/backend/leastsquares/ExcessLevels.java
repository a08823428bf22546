package org.pecf.backend.leastsquares;

/**
 * The values that the excess weights of exceptions take.
 *
 * @param uniform whether there is at most one value above the background and one below
 * @param above the value above, if uniform
 * @param below the value below, if uniform
 */
public record ExcessLevels(boolean uniform, float above, float below) {
  /**
   * The scale of an exception that has a pull but no excess, so that the pull can be divided by it:
   * its square is lost among weights.
   */
  private static final float NEGLIGIBLE = 1e-10f;

  /** Return the levels of excess weights that differ. */
  public static ExcessLevels different() {
    return new ExcessLevels(false, 0, 0);
  }

  /** Return the scale of an exception, by which its pull is divided: one if levels are uniform. */
  public float scale(float excess) {
    if (uniform) {
      return 1;
    }
    return excess == 0 ? NEGLIGIBLE : (float) Math.sqrt(Math.abs(excess));
  }
}
