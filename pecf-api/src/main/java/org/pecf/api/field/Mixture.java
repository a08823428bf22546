package org.pecf.api.field;

import java.io.Serializable;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A mixture of Gaussians of one deviation: {@code p(e) = sum_k pi_k N(e_k; 0, s^2)}.
 *
 * @param priors pi, which sum to 1
 * @param deviation s, above 0
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Mixture(List<Double> priors, double deviation) implements Serializable {
  public Mixture {
    priors = List.copyOf(priors);
    double total = priors.stream().mapToDouble(Double::doubleValue).sum();
    if (priors.stream().anyMatch(prior -> !(prior >= 0)) || Math.abs(total - 1) > 1e-6) {
      throw new IllegalArgumentException("priors must be at least 0 and sum to 1, not " + priors);
    }
    if (!(deviation > 0)) {
      throw new IllegalArgumentException("a deviation must be above 0, not " + deviation);
    }
  }

  /** Return the number of components. */
  public int size() {
    return priors.size();
  }

  /** Return {@code log (pi_k N(e_k; 0, s^2))} for a squared error. */
  double logJoint(int component, double square) {
    return Math.log(priors.get(component))
        - square / (2 * deviation * deviation)
        - Math.log(deviation)
        - 0.5 * Math.log(2 * Math.PI);
  }
}
