package org.pecf.engine.ensemble;

/** The ways in which a new member g joins an ensemble f. */
public enum Combination {
  /** {@code (1 - alpha) f + alpha g}: the weights always sum to 1. */
  CONVEX,
  /** {@code f + alpha g}: the older weights do not change. */
  ADDITIVE
}
