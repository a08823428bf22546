package org.pecf.plugin.backend.cpu.field;

import org.pecf.api.field.Posterior;

/** The node {@code scale / (1 + nu exp(-e^2 / sigma^2))}. */
final class PosteriorNode implements FieldNode {
  /** Beyond it {@code exp(-x)} is below 10^-6, which is lost beside 1. */
  private static final double NEGLIGIBLE = 14;

  private final FieldNode error;
  private final float scale;
  private final float nu;
  private final Decay decay;

  PosteriorNode(Posterior posterior, FieldNode error) {
    this.error = error;
    this.scale = posterior.scale();
    this.nu = posterior.nu();
    this.decay =
        new Decay(
            1 / ((double) posterior.sigma() * posterior.sigma()),
            NEGLIGIBLE + Math.log(Math.max(1, posterior.nu())));
  }

  @Override
  public void evaluate(CellRun run, float[] values) {
    square(error.values(run, values), values, run.count());
    decay.apply(values, run.count());
    finish(values, run.count());
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
