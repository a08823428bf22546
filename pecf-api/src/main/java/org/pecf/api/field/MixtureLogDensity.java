package org.pecf.api.field;

import org.apiguardian.api.API;

/**
 * The logarithm of a mixture's density, {@code log sum_k pi_k N(e_k; 0, s^2)}, of the components'
 * errors, its arguments.
 *
 * @param mixture the mixture
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MixtureLogDensity(Mixture mixture) implements CellFunction {
  @Override
  public float value(float[] arguments) {
    double largest = Double.NEGATIVE_INFINITY;
    double[] joint = new double[arguments.length];
    for (int k = 0; k < joint.length; k++) {
      joint[k] = mixture.logJoint(k, (double) arguments[k] * arguments[k]);
      largest = Math.max(largest, joint[k]);
    }
    double sum = 0;
    for (double term : joint) {
      sum += Math.exp(term - largest);
    }
    return (float) (largest + Math.log(sum));
  }
}
