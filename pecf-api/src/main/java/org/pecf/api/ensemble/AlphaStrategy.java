package org.pecf.api.ensemble;

import org.apiguardian.api.API;
import org.pecf.api.compute.FieldKernels;

/** A rule for how much a new member counts. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface AlphaStrategy {
  /**
   * Return alpha, from 0 to 1: the ensemble becomes f + alpha x direction.
   *
   * @param step the member to join, and the cells to judge it by
   * @param kernels to sum fields
   */
  double alpha(AlphaStep step, FieldKernels kernels);

  /**
   * Return whether steps are judged by the validation cells. Without this method a strategy is
   * handed training cells only, so that a model cannot depend on the validation part unless an
   * option asked for it.
   */
  default boolean usesValidation() {
    return false;
  }
}
