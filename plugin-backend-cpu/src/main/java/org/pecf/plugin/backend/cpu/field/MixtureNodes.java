package org.pecf.plugin.backend.cpu.field;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.pecf.api.field.Mixture;
import org.pecf.backend.field.Decay;

/**
 * The nodes of a Gaussian mixture of the same errors. The exponentials of all components are
 * evaluated once per run, whichever responsibilities and densities are made of them.
 *
 * <p>Relative to the component of the least error, {@code t_k = pi_k exp(-(e_k^2 - min e^2) / (2
 * s^2))}, so that nothing overflows; then {@code q_k = t_k / sum t} and {@code log p = log sum t -
 * min e^2 / (2 s^2) - log s - log(2 pi) / 2}.
 */
final class MixtureNodes {
  /** Beyond it {@code exp(-x)} is below 10^-13, which is lost among responsibilities. */
  private static final double NEGLIGIBLE = 30;

  private final double deviation;
  private final FieldNode least;
  private final List<FieldNode> terms = new ArrayList<>();
  private final FieldNode total;

  /**
   * Compose the nodes.
   *
   * @param share makes a node one that is evaluated at most once per run
   */
  MixtureNodes(Mixture mixture, List<FieldNode> errors, UnaryOperator<FieldNode> share) {
    this.deviation = mixture.deviation();
    List<FieldNode> possible = new ArrayList<>();
    for (int k = 0; k < errors.size(); k++) {
      if (mixture.priors().get(k) > 0) {
        possible.add(errors.get(k));
      }
    }
    this.least = share.apply(new LeastSquare(possible));
    Decay decay = new Decay(precision(), NEGLIGIBLE);
    for (int k = 0; k < errors.size(); k++) {
      float prior = mixture.priors().get(k).floatValue();
      terms.add(share.apply(new Term(prior, errors.get(k), least, decay)));
    }
    this.total =
        share.apply(
            new FieldNode.SumOf(
                terms.stream().map(term -> new FieldNode.SumOf.Term(1, term)).toList()));
  }

  private double precision() {
    return 1 / (2 * deviation * deviation);
  }

  /** Return the node of a component's responsibility. */
  FieldNode responsibility(int component) {
    return new Quotient(terms.get(component), total);
  }

  /** Return the node of the logarithm of the density. */
  FieldNode logDensity() {
    return new LogDensity(
        total, least, precision(), Math.log(deviation) + 0.5 * Math.log(2 * Math.PI));
  }

  /** The node {@code min e_k^2}. */
  private record LeastSquare(List<FieldNode> errors) implements FieldNode {
    @Override
    public void evaluate(CellRun run, float[] values) {
      float[] scratch = run.borrow();
      square(errors.get(0).values(run, scratch), values, run.count());
      for (int k = 1; k < errors.size(); k++) {
        lower(errors.get(k).values(run, scratch), values, run.count());
      }
      run.giveBack(scratch);
    }

    private static void square(float[] errors, float[] values, int count) {
      for (int p = 0; p < count; p++) {
        values[p] = errors[p] * errors[p];
      }
    }

    private static void lower(float[] errors, float[] values, int count) {
      for (int p = 0; p < count; p++) {
        values[p] = Math.min(values[p], errors[p] * errors[p]);
      }
    }
  }

  /** The node {@code prior exp(-(e^2 - min e^2) / (2 s^2))}. */
  private record Term(float prior, FieldNode error, FieldNode least, Decay decay)
      implements FieldNode {
    @Override
    public void evaluate(CellRun run, float[] values) {
      float[] scratch = run.borrow();
      excess(error.values(run, values), least.values(run, scratch), values, run.count());
      run.giveBack(scratch);
      decay.apply(values, run.count());
      scale(prior, values, run.count());
    }

    /** The least error is that of a component with a share; one without may be below it. */
    private static void excess(float[] errors, float[] least, float[] values, int count) {
      for (int p = 0; p < count; p++) {
        values[p] = Math.max(0, errors[p] * errors[p] - least[p]);
      }
    }

    private static void scale(float by, float[] values, int count) {
      for (int p = 0; p < count; p++) {
        values[p] *= by;
      }
    }
  }

  /** The node {@code x / y}. */
  private record Quotient(FieldNode above, FieldNode below) implements FieldNode {
    @Override
    public void evaluate(CellRun run, float[] values) {
      float[] scratch = run.borrow();
      divide(above.values(run, values), below.values(run, scratch), values, run.count());
      run.giveBack(scratch);
    }

    private static void divide(float[] above, float[] below, float[] values, int count) {
      for (int p = 0; p < count; p++) {
        values[p] = above[p] / below[p];
      }
    }
  }

  /** The node {@code log total - precision least - constant}. */
  private record LogDensity(FieldNode total, FieldNode least, double precision, double constant)
      implements FieldNode {
    @Override
    public void evaluate(CellRun run, float[] values) {
      float[] scratch = run.borrow();
      float[] totals = total.values(run, values);
      float[] squares = least.values(run, scratch);
      for (int p = 0; p < run.count(); p++) {
        values[p] = (float) (Math.log(totals[p]) - precision * squares[p] - constant);
      }
      run.giveBack(scratch);
    }
  }
}
