package org.pecf.api.ensemble;

import org.apiguardian.api.API;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.field.CellField;

/** A way to weigh cells for the next filter, given the prediction of the ensemble so far. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface WeightingScheme {
  /**
   * Return the weights of the next filter's training, confidences included; nowhere negative.
   *
   * @param state the ensemble so far; it has a member at least
   * @param kernels to sum fields, should the scheme need totals
   */
  CellField weights(EnsembleState state, FieldKernels kernels);
}
