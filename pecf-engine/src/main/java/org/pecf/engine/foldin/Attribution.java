package org.pecf.engine.foldin;

/**
 * The parts of a member's score of a cell: their sum is the score of the row that the member's rule
 * gives.
 *
 * @param positives what each positive of the row adds, in their order
 * @param zeros what all other cells add; for residual targets this holds what the members before
 *     predict for them
 */
public record Attribution(double[] positives, double zeros) {}
