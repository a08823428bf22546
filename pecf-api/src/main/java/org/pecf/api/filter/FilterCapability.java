package org.pecf.api.filter;

import org.apiguardian.api.API;

/** The optional capabilities of a filter. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FilterCapability {
  /** Fit any targets, not only ratings: needed to fit residuals. */
  ANY_TARGET,
  /** Respect weights that differ from cell to cell: needed for re-weighting. */
  CELL_WEIGHTS,
  /** Start from a given model. */
  WARM_START,
  /** Give bit-identical models for the same seed at any number of threads. */
  DETERMINISTIC,
  /**
   * Offer the state between steps to {@link TrainingContext#checkpoints()}, and go on from one: a
   * deterministic filter then gives the same bits as without a break.
   */
  RESUMABLE,
  /**
   * Train models of a kind of its own, neither factors nor a sparse product: they are scored on the
   * host and cannot be stored.
   */
  OWN_MODEL
}
