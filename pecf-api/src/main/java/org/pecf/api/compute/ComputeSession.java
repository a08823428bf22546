package org.pecf.api.compute;

import org.apiguardian.api.API;

/**
 * Run kernels for one run on one grid. Used by one thread at a time; it uses many itself.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ComputeSession extends AutoCloseable {
  /** Return the kernels that evaluate fields. */
  FieldKernels fields();

  /** Return the kernels for dense matrices. */
  MatrixKernels matrices();

  /**
   * Prepare a weighted least-squares problem: choose a path, evaluate what can be kept.
   *
   * @return the prepared problem; close it before the memory its fields borrow goes away
   */
  LeastSquares leastSquares(LeastSquaresRequest request);

  /**
   * Prepare a pairwise factorisation: lay out what samples are drawn from.
   *
   * @return the prepared problem; close it before the memory its request borrows goes away
   */
  PairwiseSgd pairwise(PairwiseRequest request);

  /**
   * Find each user's highest-scored items.
   *
   * @return the lists, owned by the caller
   */
  RankedItems rank(RankingRequest request);

  @Override
  void close();
}
