package org.pecf.api.field;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The probability that one component of a Gaussian mixture generated a cell: {@code pi_k exp(-e_k^2
 * / (2 s^2)) / sum_l pi_l exp(-e_l^2 / (2 s^2))} of the components' errors, its arguments.
 *
 * @param component k, counted from 0
 * @param mixture the mixture
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Responsibility(int component, Mixture mixture) implements CellFunction {
  public Responsibility {
    if (component < 0 || component >= mixture.size()) {
      throw new IllegalArgumentException(
          "a mixture of " + mixture.size() + " has no component " + component);
    }
  }

  @Override
  public float value(float[] arguments) {
    double[] squares = new double[arguments.length];
    for (int k = 0; k < squares.length; k++) {
      squares[k] = (double) arguments[k] * arguments[k];
    }
    return (float) of(squares);
  }

  /** Least likely where its own error is largest and the others' smallest, and the reverse. */
  @Override
  public ValueRange range(List<ValueRange> arguments) {
    double[] least = new double[arguments.size()];
    double[] most = new double[arguments.size()];
    for (int k = 0; k < least.length; k++) {
      ValueRange squares = arguments.get(k).squared();
      least[k] = k == component ? squares.high() : squares.low();
      most[k] = k == component ? squares.low() : squares.high();
    }
    return new ValueRange(of(least), of(most));
  }

  private double of(double[] squares) {
    if (mixture.priors().get(component) == 0) {
      return 0;
    }
    double own = mixture.logJoint(component, squares[component]);
    double sum = 0;
    for (int k = 0; k < squares.length; k++) {
      sum += Math.exp(mixture.logJoint(k, squares[k]) - own);
    }
    return 1 / sum;
  }
}
