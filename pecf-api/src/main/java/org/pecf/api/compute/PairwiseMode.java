package org.pecf.api.compute;

import org.apiguardian.api.API;

/** The ways to spread pairwise training over threads. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum PairwiseMode {
  /**
   * Give the same bits for the same seed at any number of threads. To that end a backend may draw
   * the negatives of a sample from a part of the items only, chosen at random for each epoch.
   */
  DETERMINISTIC,
  /** Let threads update shared rows without waiting for each other: the last one wins. */
  LOCK_FREE
}
