package org.pecf.engine.recommend.foldin;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.memory.RowRule;
import org.pecf.engine.algebra.SymmetricMatrix;

/**
 * The equations {@code (sum_j w_j v_j v_j' + lambda / 2 I) x = sum_j w_j t_j v_j} of one row x: a
 * background of zeros, for which sums over all cells are kept, corrected at its exceptions.
 */
final class RowEquations {
  private final FixedSide side;
  private final int[] positives;
  private final double[] positiveShares;
  private final @Nullable SymmetricMatrix matrix;
  private final double[] right;

  private RowEquations(
      FixedSide side,
      int[] positives,
      double[] positiveShares,
      @Nullable SymmetricMatrix matrix,
      double[] right) {
    this.side = side;
    this.positives = positives;
    this.positiveShares = positiveShares;
    this.matrix = matrix;
    this.right = right;
  }

  /**
   * Set up the equations of a row.
   *
   * @param rule {@link RowRule.LeastSquares} or {@link RowRule.BestFit}
   * @param positives the cells rated 1, ascending. Not modified.
   * @param residual the prediction of every cell that is taken from its rating; null for none. Not
   *     modified.
   */
  static RowEquations of(
      FixedSide side,
      RowRule rule,
      int[] positives,
      RowWeights weights,
      float @Nullable [] residual) {
    SymmetricMatrix matrix = new SymmetricMatrix(side.rank());
    double[] right = new double[side.rank()];
    double background = weights.background();
    double total = background * side.rows();
    if (background > 0) {
      matrix.add(background, side.gramian());
      if (residual != null) {
        double[] predicted = side.weightedSum(residual);
        for (int k = 0; k < right.length; k++) {
          right[k] -= background * predicted[k];
        }
      }
    }
    double[] shares = new double[positives.length];
    float[] row = new float[side.rank()];
    double[] exact = new double[side.rank()];
    int next = 0;
    for (int cell = 0; cell < side.rows(); cell++) {
      boolean positive = next < positives.length && positives[next] == cell;
      if (!positive && !weights.isException(cell)) {
        continue;
      }
      double counted = background * side.weight(cell);
      double weight = weights.at(cell, positive ? 1 : 0);
      double prediction = residual == null ? 0 : residual[cell];
      double share = weight * ((positive ? 1 : 0) - prediction);
      side.read(cell, row);
      for (int k = 0; k < row.length; k++) {
        exact[k] = row[k];
        // The background has counted the cell as a zero already.
        right[k] += (share + counted * prediction) * row[k];
      }
      matrix.addSquare(weight - counted, exact);
      total += weight - counted;
      if (positive) {
        shares[next++] = share;
      }
    }
    double ridge = ridge(rule, matrix, Math.max(0, total));
    if (ridge == 0) {
      // A row that nothing weighs upon.
      return new RowEquations(side, positives, shares, null, right);
    }
    matrix.addToDiagonal(ridge);
    if (!matrix.factorise()) {
      throw PecfException.badModel(
          "The row of a new user or item has no stable solution: the model's penalties are too"
              + " small for its weights. Train it again with a larger lambda.");
    }
    return new RowEquations(side, positives, shares, matrix, right);
  }

  private static double ridge(RowRule rule, SymmetricMatrix matrix, double total) {
    if (rule instanceof RowRule.LeastSquares squares) {
      return squares.unitPenalty() * Math.pow(total, squares.exponent()) / 2;
    }
    return 0.01 * matrix.meanDiagonal();
  }

  /** Return the solution. */
  float[] solution() {
    float[] row = new float[right.length];
    if (matrix != null) {
      double[] x = matrix.solve(right);
      for (int k = 0; k < row.length; k++) {
        row[k] = (float) x[k];
      }
    }
    return row;
  }

  /**
   * Return how much each positive, and the zeros, add to the score of a cell: the solution is
   * linear in the targets, so cell k adds {@code w_k t_k v_k' A^-1 v_j} to {@code x . v_j}.
   *
   * @param cell j
   */
  Attribution attribution(int cell) {
    double[] contributions = new double[positives.length];
    if (matrix == null) {
      return new Attribution(contributions, 0);
    }
    float[] row = new float[side.rank()];
    side.read(cell, row);
    double[] exact = new double[row.length];
    Arrays.setAll(exact, k -> row[k]);
    double[] solved = matrix.solve(exact);
    double[] ofZeros = right.clone();
    for (int p = 0; p < positives.length; p++) {
      side.read(positives[p], row);
      double product = 0;
      for (int k = 0; k < row.length; k++) {
        product += solved[k] * row[k];
        ofZeros[k] -= positiveShares[p] * row[k];
      }
      contributions[p] = positiveShares[p] * product;
    }
    double zeros = 0;
    for (int k = 0; k < solved.length; k++) {
      zeros += solved[k] * ofZeros[k];
    }
    return new Attribution(contributions, zeros);
  }
}
