package org.pecf.spark;

import java.io.Serializable;
import org.pecf.api.memory.Side;
import org.pecf.backend.leastsquares.Penalties;

/** The least squares of one side for one member: what every block needs besides its cells. */
final class SideProblem implements Serializable {
  private static final long serialVersionUID = 1;

  private final Side side;
  private final int rank;
  private final int others;
  private final double background;
  private final float positive;
  private final double lambda;
  private final double exponent;
  private final double meanPower;

  /**
   * Describe the side.
   *
   * @param others the number of rows of the other side
   * @param background the weight of a zero
   * @param positive the weight of a positive, unless each has its own
   * @param lambda the mean of the rows' penalties
   * @param exponent the power of a row's weight in its penalty
   * @param meanPower the mean of these powers
   */
  SideProblem(
      Side side,
      int rank,
      int others,
      double background,
      float positive,
      double lambda,
      double exponent,
      double meanPower) {
    this.side = side;
    this.rank = rank;
    this.others = others;
    this.background = background;
    this.positive = positive;
    this.lambda = lambda;
    this.exponent = exponent;
    this.meanPower = meanPower;
  }

  /** Return the same problem once the mean of the powers is known. */
  SideProblem withMeanPower(double mean) {
    return new SideProblem(side, rank, others, background, positive, lambda, exponent, mean);
  }

  Side side() {
    return side;
  }

  int rank() {
    return rank;
  }

  double background() {
    return background;
  }

  double lambda() {
    return lambda;
  }

  /** Return the penalty of a row whose weights sum to 1. */
  double unitPenalty() {
    return exponent == 0 ? lambda : Penalties.unit(lambda, meanPower);
  }

  /** Return the weight of a cell. */
  float weight(WeightedBlock block, int position) {
    return block.weight(position, positive);
  }

  /** Return the weight of a cell times its target. */
  float pull(WeightedBlock block, int position) {
    return block.pull(position, positive);
  }

  /** Return how much a weight exceeds that of a zero. */
  float excess(float weight) {
    return (float) (weight - background);
  }

  /** Return the weight of each row of a block to the power of the exponent. */
  double[] powers(WeightedBlock block) {
    CellBlock cells = block.cells();
    double[] sums = new double[cells.rows()];
    for (int row = 0; row < sums.length; row++) {
      for (int p = cells.start(row); p < cells.start(row + 1); p++) {
        sums[row] += excess(weight(block, p));
      }
      sums[row] = Math.max(0, sums[row] + background * others);
    }
    return Penalties.powers(exponent, sums);
  }

  /** Return the penalty of each row of a block. */
  double[] penalties(WeightedBlock block) {
    double[] penalties = new double[block.cells().rows()];
    double[] powers = exponent == 0 ? penalties : powers(block);
    for (int row = 0; row < penalties.length; row++) {
      penalties[row] = exponent == 0 ? lambda : Penalties.ofPower(lambda, powers[row], meanPower);
    }
    return penalties;
  }
}
