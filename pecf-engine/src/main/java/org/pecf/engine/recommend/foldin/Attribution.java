package org.pecf.engine.recommend.foldin;

import java.util.Arrays;

/**
 * The parts of a member's score of a cell: their sum is the score of the row that the member's rule
 * gives.
 *
 * @param positives the share of each positive of the row, in their order
 * @param zeros the share of all other cells, for residual targets with the predictions of the
 *     members before
 */
public record Attribution(double[] positives, double zeros) {
  /** Return the parts of a score whose distance from a constant is multiplied. */
  Attribution scaled(double factor, double constant) {
    return new Attribution(
        Arrays.stream(positives).map(part -> factor * part).toArray(),
        constant + factor * (zeros - constant));
  }
}
