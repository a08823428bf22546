package org.pecf.api.ensemble;

import org.apiguardian.api.API;
import org.pecf.api.compute.FieldKernels;

/**
 * Choose how much a new member counts.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface AlphaStrategy {
  /**
   * Return alpha, from 0 to 1: the ensemble becomes f + alpha x direction.
   *
   * @param step what is to be mixed in
   * @param kernels to sum fields
   */
  double alpha(AlphaStep step, FieldKernels kernels);
}
