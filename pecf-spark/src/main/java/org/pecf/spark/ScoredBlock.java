package org.pecf.spark;

import java.io.Serializable;
import java.util.BitSet;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.pecf.api.field.Posterior;
import org.pecf.backend.field.PosteriorValues;
import org.pecf.backend.leastsquares.GroupedSum;
import scala.Tuple2;

/** The cells of a block that are weighted one by one, and the ensemble's prediction of each. */
final class ScoredBlock implements Serializable {
  private static final long serialVersionUID = 1;

  private final CellBlock cells;
  private final float[] scores;
  private final BitSet zeros;

  private ScoredBlock(CellBlock cells, float[] scores, BitSet zeros) {
    this.cells = cells;
    this.scores = scores;
    this.zeros = zeros;
  }

  /** Return a block of positives. */
  static ScoredBlock ofPositives(CellBlock cells, float[] scores) {
    return new ScoredBlock(cells, scores, new BitSet());
  }

  /**
   * Return a block of positives and zeros.
   *
   * @param positives the positives, all of which are among the cells
   */
  static ScoredBlock of(CellBlock cells, float[] scores, CellBlock positives) {
    BitSet zeros = new BitSet(scores.length);
    for (int row = 0; row < cells.rows(); row++) {
      int positive = positives.start(row);
      for (int p = cells.start(row); p < cells.start(row + 1); p++) {
        if (positive < positives.start(row + 1) && positives.other(positive) == cells.other(p)) {
          positive++;
        } else {
          zeros.set(p);
        }
      }
    }
    return new ScoredBlock(cells, scores, zeros);
  }

  /** The sums over the cells of a block, group by group. */
  enum Sum {
    /** Squared predictions. */
    SQUARES,
    /** Re-weighted positives. */
    POSITIVES,
    /** Re-weighted zeros. */
    ZEROS,
    /** The number of zeros. */
    ZERO_COUNT
  }

  /** Return the sums over the cells, by {@link Sum} and group. */
  double[][] sums(CellFactors factors) {
    float[] weights = weights(factors);
    double[][] sums = new double[Sum.values().length][cells.rows()];
    for (int row = 0; row < cells.rows(); row++) {
      for (int p = cells.start(row); p < cells.start(row + 1); p++) {
        boolean zero = zeros.get(p);
        sums[Sum.SQUARES.ordinal()][row] += (double) scores[p] * scores[p];
        sums[(zero ? Sum.ZEROS : Sum.POSITIVES).ordinal()][row] += weights[p];
        sums[Sum.ZERO_COUNT.ordinal()][row] += zero ? 1 : 0;
      }
    }
    for (int k = 0; k < sums.length; k++) {
      sums[k] = GroupedSum.groups(sums[k]);
    }
    return sums;
  }

  /**
   * The weights of positives and zeros, and the function of their error by which these are
   * multiplied.
   */
  static final class CellFactors implements Serializable {
    private static final long serialVersionUID = 1;

    private final float nu;
    private final float sigma;
    private final float scale;
    private final float positive;
    private final float zero;

    CellFactors(Posterior function, float positive, float zero) {
      this.nu = function.nu();
      this.sigma = function.sigma();
      this.scale = function.scale();
      this.positive = positive;
      this.zero = zero;
    }

    /** Return the values of the function. */
    PosteriorValues values() {
      return new PosteriorValues(new Posterior(nu, sigma, scale));
    }
  }

  /** Weigh the cells. */
  WeightedBlock weighted(CellFactors factors) {
    float[] weights = weights(factors);
    float[] pulls = weights;
    if (!zeros.isEmpty()) {
      pulls = weights.clone();
      for (int p = zeros.nextSetBit(0); p >= 0; p = zeros.nextSetBit(p + 1)) {
        pulls[p] = 0;
      }
    }
    return new WeightedBlock(cells, weights, pulls);
  }

  /** Return the weights of cells by how badly they are predicted. */
  float[] weights(CellFactors factors) {
    float[] weights = new float[scores.length];
    for (int p = 0; p < weights.length; p++) {
      weights[p] = (zeros.get(p) ? 0 : 1) - scores[p];
    }
    factors.values().of(weights, weights, weights.length);
    for (int p = 0; p < weights.length; p++) {
      weights[p] *= zeros.get(p) ? factors.zero : factors.positive;
    }
    return weights;
  }

  /**
   * Cut the cells into chunks for the blocks of the other side.
   *
   * @param source the number of this block
   */
  Iterator<Tuple2<Integer, ScoredChunk>> chunks(int source, Blocks others) {
    ScoredChunk[] chunks = new ScoredChunk[others.count()];
    for (int k = 0; k < chunks.length; k++) {
      chunks[k] = new ScoredChunk(source);
    }
    // By other row and then by row is the order of the other side; a pass for each would be slow.
    int[] order = byOther();
    int[] rows = new int[scores.length];
    for (int row = 0; row < cells.rows(); row++) {
      for (int p = cells.start(row); p < cells.start(row + 1); p++) {
        rows[p] = cells.first() + row;
      }
    }
    for (int p : order) {
      chunks[others.of(cells.other(p))].add(cells.other(p), rows[p], scores[p]);
    }
    return IntStream.range(0, chunks.length)
        .filter(k -> !chunks[k].isEmpty())
        .mapToObj(k -> new Tuple2<>(k, chunks[k].trimmed()))
        .iterator();
  }

  /** Return the positions of cells by other row, those of one by row. */
  private int[] byOther() {
    int[] next = new int[cells.needed().length + 1];
    for (int p = 0; p < scores.length; p++) {
      next[cells.place(p) + 1]++;
    }
    for (int k = 0; k + 1 < next.length; k++) {
      next[k + 1] += next[k];
    }
    int[] order = new int[scores.length];
    for (int p = 0; p < scores.length; p++) {
      order[next[cells.place(p)]++] = p;
    }
    return order;
  }

  /** Return the cells. */
  CellBlock cells() {
    return cells;
  }
}
