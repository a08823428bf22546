package org.pecf.plugin.backend.cpu.field;

import org.pecf.api.field.Posterior;
import org.pecf.backend.field.PosteriorValues;

/** The node {@code scale / (1 + nu exp(-e^2 / sigma^2))}. */
final class PosteriorNode implements FieldNode {
  private final FieldNode error;
  private final PosteriorValues posterior;

  PosteriorNode(Posterior posterior, FieldNode error) {
    this.error = error;
    this.posterior = new PosteriorValues(posterior);
  }

  @Override
  public void evaluate(CellRun run, float[] values) {
    posterior.of(error.values(run, values), values, run.count());
  }
}
