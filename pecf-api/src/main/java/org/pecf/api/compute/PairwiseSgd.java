package org.pecf.api.compute;

import org.apiguardian.api.API;
import org.pecf.api.memory.FactorModel;

/** A prepared pairwise factorisation, trained by stochastic gradient steps. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface PairwiseSgd extends AutoCloseable {
  /**
   * Draw as many samples as there are positives of weight above zero, and step down the gradient of
   * each: with {@code g = sigmoid(-x)}, {@code u_i += rate (g (v_j - v_k) - lambda_u u_i)}, {@code
   * v_j += rate (g u_i - lambda_p v_j)}, {@code v_k += rate (-g u_i - lambda_n v_k)}, all from the
   * values before the step. A sample for which no negative is found in a bounded number of tries is
   * left out.
   *
   * @param factors the model to improve. Modified.
   * @param epoch which epoch this is, from 0: the samples depend on it and on the request alone,
   *     not on epochs before
   * @param learningRate the length of the steps, at least 0
   */
  PairwiseEpoch epoch(FactorModel factors, int epoch, double learningRate);

  @Override
  void close();
}
