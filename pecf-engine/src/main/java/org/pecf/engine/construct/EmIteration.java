package org.pecf.engine.construct;

import java.util.List;
import java.util.Locale;
import org.pecf.api.run.RunEvent;

/**
 * The event that an iteration of expectation maximisation has ended.
 *
 * @param iteration counted from 1; 0 is the start
 * @param iterations the largest number of iterations
 * @param logLikelihood the penalised observed-data log-likelihood
 * @param priors pi
 * @param deviation sigma_r
 */
public record EmIteration(
    int iteration, int iterations, double logLikelihood, List<Double> priors, double deviation)
    implements RunEvent {
  public EmIteration {
    priors = List.copyOf(priors);
  }

  @Override
  public String summary() {
    return String.format(
        Locale.ROOT,
        "EM iteration %d/%d: penalised log-likelihood %.6g, sigma %.4f, priors %s",
        iteration,
        iterations,
        logLikelihood,
        deviation,
        priors.stream().map(prior -> String.format(Locale.ROOT, "%.3f", prior)).toList());
  }
}
