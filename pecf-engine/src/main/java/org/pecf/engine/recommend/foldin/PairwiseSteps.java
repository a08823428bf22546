package org.pecf.engine.recommend.foldin;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.RowRule;
import org.pecf.api.run.Seed;

/** The row that pairwise steps lead to, as {@link RowRule.Pairwise} defines it. */
final class PairwiseSteps {
  /** The largest number of steps, whatever a model asks for. */
  private static final long MOST_STEPS = 10_000_000;

  private final RowRule.Pairwise rule;
  private final FixedSide side;
  private final IntUnaryOperator popularity;
  private double @Nullable [] cumulated;

  /**
   * Prepare steps.
   *
   * @param popularity returns the number of positives of a cell's other row
   */
  PairwiseSteps(RowRule.Pairwise rule, FixedSide side, IntUnaryOperator popularity) {
    this.rule = rule;
    this.side = side;
    this.popularity = popularity;
  }

  /**
   * Return the row of some positives, the same for the same positives and weights.
   *
   * @param positives ascending. Not modified.
   */
  float[] row(int[] positives, RowWeights weights) {
    int rank = side.rank() - 1;
    double[] x = new double[rank + 1];
    x[rank] = 1;
    double[] drawn = new double[positives.length];
    double total = 0;
    for (int p = 0; p < positives.length; p++) {
      total += weights.at(positives[p], 1);
      drawn[p] = total;
    }
    if (rule.slope() > 0 && total > 0 && positives.length < side.rows()) {
      descend(x, positives, drawn);
    }
    float[] row = new float[rank + 1];
    for (int k = 0; k <= rank; k++) {
      row[k] = (float) x[k];
    }
    return row;
  }

  private void descend(double[] x, int[] positives, double[] drawn) {
    int rank = x.length - 1;
    float[] liked = new float[side.rank()];
    float[] other = new float[side.rank()];
    long steps = Math.min(MOST_STEPS, (long) rule.epochs() * positives.length);
    SplittableRandom random = new Seed(Arrays.hashCode(positives)).child("fold-in").random();
    for (long step = 0; step < steps; step++) {
      double rate = rule.rate() * (1 - (double) step / steps);
      int positive = positives[at(drawn, random.nextDouble())];
      int negative = negative(random, positives);
      if (negative < 0) {
        continue;
      }
      side.read(positive, liked);
      side.read(negative, other);
      double difference = 0;
      for (int k = 0; k <= rank; k++) {
        difference += x[k] * (liked[k] - (double) other[k]);
      }
      double slope = rule.slope();
      double pull = 1 / (1 + Math.exp(difference / slope));
      for (int k = 0; k < rank; k++) {
        x[k] += rate * (pull * (liked[k] - (double) other[k]) / slope - rule.penalty() * x[k]);
      }
    }
  }

  /** Draw a cell that is no positive, or give up after many positives. */
  private int negative(SplittableRandom random, int[] positives) {
    for (int attempt = 0; attempt < 100; attempt++) {
      double draw = random.nextDouble();
      int cell = rule.power() == 0 ? (int) (draw * side.rows()) : at(cumulated(), draw);
      if (Arrays.binarySearch(positives, cell) < 0) {
        return cell;
      }
    }
    return -1;
  }

  private synchronized double[] cumulated() {
    if (cumulated == null) {
      double[] sums = new double[side.rows()];
      double total = 0;
      for (int cell = 0; cell < sums.length; cell++) {
        total += Math.pow(popularity.applyAsInt(cell), rule.power());
        sums[cell] = total;
      }
      cumulated = sums;
    }
    return cumulated;
  }

  /** Return the first place whose cumulated weight exceeds a share of the total. */
  private static int at(double[] cumulated, double share) {
    double wanted = share * cumulated[cumulated.length - 1];
    int low = 0;
    int high = cumulated.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulated[middle] > wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
