package org.pecf.engine.recommend.foldin;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.engine.algebra.SymmetricMatrix;

/**
 * The factors of one side of a member, which stay as they are, and the sums over them that are
 * computed once. Safe for use by many threads at once.
 */
final class FixedSide {
  private static final int BLOCK_FLOATS = 1 << 14;

  private final FloatMatrix factors;
  private final Optional<ItemWeights> weights;
  private double @Nullable [] gramian;

  /**
   * Create a view.
   *
   * @param factors borrowed
   * @param weights the factor of each row in sums, if they are items that do not all weigh the same
   */
  FixedSide(FloatMatrix factors, Optional<ItemWeights> weights) {
    this.factors = factors;
    this.weights = weights;
  }

  /** Return q_j, the factor of a row in sums; 1 if all rows weigh the same. */
  double weight(int row) {
    return weights.isPresent() ? weights.get().of(row) : 1;
  }

  int rows() {
    return factors.rows();
  }

  int rank() {
    return factors.columns();
  }

  /** A receiver of blocks of rows. */
  @FunctionalInterface
  interface BlockReader {
    /**
     * Receive consecutive rows.
     *
     * @param values the factors, row after row. Not modified.
     */
    void read(int first, int count, float[] values);
  }

  /** Read all rows in order. */
  void forEachBlock(BlockReader reader) {
    int most = Math.max(1, Math.min(rows(), BLOCK_FLOATS / Math.max(1, rank())));
    float[] block = new float[most * rank()];
    for (int first = 0; first < rows(); first += most) {
      int count = Math.min(most, rows() - first);
      factors.readRows(first, count, block);
      reader.read(first, count, block);
    }
  }

  /** Copy a row. */
  void read(int row, float[] target) {
    factors.readRow(row, target);
  }

  /**
   * Return the dot product of every row with another one, added up in the order of {@link
   * org.pecf.api.memory.FactorModel#scoreAt}.
   *
   * @param other as many factors. Not modified.
   */
  float[] scores(float[] other) {
    float[] scores = new float[rows()];
    int[] present = present(other);
    if (present.length * 8L < other.length) {
      for (int row = 0; row < scores.length; row++) {
        float sum = 0;
        for (int k : present) {
          sum += other[k] * factors.get(row, k);
        }
        scores[row] = sum;
      }
      return scores;
    }
    forEachBlock(
        (first, count, values) -> RowProducts.compute(other, values, count, scores, first));
    return scores;
  }

  /** Return which factors are not zero. */
  private static int[] present(float[] row) {
    int[] present = new int[row.length];
    int count = 0;
    for (int k = 0; k < row.length; k++) {
      if (row[k] != 0) {
        present[count++] = k;
      }
    }
    return Arrays.copyOf(present, count);
  }

  /**
   * Return {@code sum_j q_j v_j v_j'}: the lower triangle of a matrix of rank x rank. Not to
   * modify.
   */
  synchronized double[] gramian() {
    if (gramian == null) {
      SymmetricMatrix sum = new SymmetricMatrix(rank());
      double[] row = new double[rank()];
      forEachBlock(
          (first, count, values) -> {
            for (int r = 0; r < count; r++) {
              for (int k = 0; k < row.length; k++) {
                row[k] = values[r * row.length + k];
              }
              sum.addSquare(weight(first + r), row);
            }
          });
      gramian = sum.elements();
    }
    return gramian;
  }

  /** Return {@code sum_j q_j x_j v_j}. */
  double[] weightedSum(float[] numbers) {
    double[] sum = new double[rank()];
    forEachBlock(
        (first, count, values) -> {
          for (int r = 0; r < count; r++) {
            double weight = weight(first + r) * numbers[first + r];
            for (int k = 0; k < sum.length; k++) {
              sum[k] += weight * values[r * sum.length + k];
            }
          }
        });
    return sum;
  }
}
