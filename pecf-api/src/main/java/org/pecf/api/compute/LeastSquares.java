package org.pecf.api.compute;

import org.apiguardian.api.API;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.Side;

/** A prepared weighted least-squares factorisation, solved one side at a time. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface LeastSquares extends AutoCloseable {
  /** Return how the problem is computed. */
  LeastSquaresPlan plan();

  /**
   * Set every row of one side to its optimum given the other: {@code (sum_j w_ij v_j v_j' +
   * lambda_i / 2 I) u_i = sum_j w_ij t_ij v_j}, and the mirror image.
   *
   * @param side which side to solve. Modified.
   * @param factors the model; its other side is not modified
   * @return the objective afterwards
   */
  double solve(Side side, FactorModel factors);

  /**
   * Return the penalty of a row whose weights sum to 1. That of any row is {@code lambda_i =
   * unitPenalty s_i^p}, with the sum s_i of its weights and the {@link Ridge#exponent()} p.
   */
  double unitPenalty(Side side);

  @Override
  void close();
}
