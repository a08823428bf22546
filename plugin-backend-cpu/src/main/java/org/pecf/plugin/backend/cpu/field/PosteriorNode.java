package org.pecf.plugin.backend.cpu.field;

import org.pecf.api.field.Posterior;

/**
 * The node {@code scale / (1 + nu exp(-e^2 / sigma^2))}, without calls or branches, so that the JIT
 * vectorises it.
 *
 * <p>With x the exponent, {@code exp(-x) = P(x / 2^k)^(2^k)}: P is the Taylor polynomial about the
 * middle of the range, and the power is taken by squaring. Beyond the range, {@code nu exp(-x)} is
 * lost beside 1.
 */
final class PosteriorNode implements FieldNode {
  /** Beyond it {@code exp(-x)} is below 10^-6. */
  private static final double NEGLIGIBLE = 14;

  /** Half of the longest range on which the polynomial is good enough. */
  private static final double RADIUS = 0.65;

  private final FieldNode error;
  private final float scale;
  private final float nu;
  private final float factor;
  private final float range;
  private final float middle;
  private final int squarings;
  private final float[] taylor = new float[9];

  PosteriorNode(Posterior posterior, FieldNode error) {
    this.error = error;
    this.scale = posterior.scale();
    this.nu = posterior.nu();
    double most = NEGLIGIBLE + Math.log(Math.max(1, posterior.nu()));
    int powers = 4;
    while (most / (1 << powers) > 2 * RADIUS) {
      powers++;
    }
    this.squarings = powers;
    this.range = (float) (most / (1 << powers));
    this.middle = range / 2;
    this.factor = (float) (1 / ((double) posterior.sigma() * posterior.sigma()) / (1 << powers));
    double derivative = Math.exp(-middle);
    for (int n = 0; n < taylor.length; n++) {
      taylor[n] = (float) derivative;
      derivative /= -(n + 1);
    }
  }

  @Override
  public void evaluate(CellRun run, float[] values) {
    root(error.values(run, values), values, run.count());
    for (int k = 4; k < squarings; k++) {
      square(values, run.count());
    }
    finish(values, run.count());
  }

  /** Replace errors by {@code exp(-x / 2^k)}, already squared four times. */
  private void root(float[] errors, float[] values, int count) {
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
      float e = errors[p];
      float t = Math.min(e * e * by, most) - centre;
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

  private void finish(float[] values, int count) {
    float above = scale;
    float by = nu;
    for (int p = 0; p < count; p++) {
      values[p] = above / (1 + by * values[p]);
    }
  }
}
