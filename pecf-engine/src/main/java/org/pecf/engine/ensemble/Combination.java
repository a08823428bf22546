package org.pecf.engine.ensemble;

/** Name the ways a new member g joins an ensemble f. */
public enum Combination {
  /** {@code (1 - alpha) f + alpha g}: the weights always sum to 1. */
  CONVEX,
  /** {@code f + alpha g}: the older weights stay as they are. */
  ADDITIVE
}
