package org.pecf.engine.foldin;

/**
 * The parts of a member's score of a cell: their sum is the score of the row that the member's rule
 * gives.
 *
 * @param positives the share of each positive of the row, in their order
 * @param zeros the share of all other cells, for residual targets with the predictions of the
 *     members before
 */
public record Attribution(double[] positives, double zeros) {}
