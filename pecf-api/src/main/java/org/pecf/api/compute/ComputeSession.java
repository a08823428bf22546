package org.pecf.api.compute;

import org.apiguardian.api.API;
import org.pecf.api.field.CellField;

/**
 * The kernels of a backend, open for one run on one grid. It is used by one thread at a time and
 * uses many itself.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ComputeSession extends AutoCloseable {
  /** Return the kernels that evaluate fields. */
  FieldKernels fields();

  /** Return the kernels for dense matrices. */
  MatrixKernels matrices();

  /**
   * Prepare a weighted least-squares problem: choose a path, evaluate the fields that can be kept.
   *
   * @return the prepared problem; close it before the memory its fields borrow goes away
   */
  LeastSquares leastSquares(LeastSquaresRequest request);

  /**
   * Prepare a pairwise factorisation: lay out the cells that samples are drawn from.
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

  /**
   * Announce that a combination of scores is going to be evaluated many times, in fields and in
   * rankings, and then combinations that go on from it. A backend may keep its values until another
   * one is announced or the session ends; results change by rounding at most. Without this method
   * nothing is kept.
   *
   * @param scores a {@link org.pecf.api.field.Score} or a {@link org.pecf.api.field.Linear}
   *     combination of them; their models must not change as long as the session evaluates them
   */
  default void keep(CellField scores) {}

  @Override
  void close();
}
