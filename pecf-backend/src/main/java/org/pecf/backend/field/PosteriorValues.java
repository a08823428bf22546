package org.pecf.backend.field;

import org.pecf.api.field.Posterior;

/** The values {@code scale / (1 + nu exp(-e^2 / sigma^2))} of many errors e. */
public final class PosteriorValues {
  /** Beyond it {@code exp(-x)} is below 10^-6, which is lost beside 1. */
  private static final double NEGLIGIBLE = 14;

  private final float scale;
  private final float nu;
  private final Decay decay;

  /** Prepare the function. */
  public PosteriorValues(Posterior posterior) {
    this.scale = posterior.scale();
    this.nu = posterior.nu();
    this.decay =
        new Decay(
            1 / ((double) posterior.sigma() * posterior.sigma()),
            NEGLIGIBLE + Math.log(Math.max(1, posterior.nu())));
  }

  /**
   * Compute the values.
   *
   * @param errors Not modified, unless they are the values.
   * @param values Modified.
   */
  public void of(float[] errors, float[] values, int count) {
    square(errors, values, count);
    decay.apply(values, count);
    finish(values, count);
  }

  private static void square(float[] errors, float[] values, int count) {
    for (int p = 0; p < count; p++) {
      values[p] = errors[p] * errors[p];
    }
  }

  private void finish(float[] values, int count) {
    float above = scale;
    float by = nu;
    for (int p = 0; p < count; p++) {
      values[p] = above / (1 + by * values[p]);
    }
  }
}
