package org.pecf.backend.cpu.pairwise;

import org.pecf.api.compute.PairwisePenalties;
import org.pecf.backend.cpu.field.Exponential;

/**
 * Make the gradient steps of one run of samples, and measure each sample before its step.
 *
 * <p>Plain float arithmetic in a fixed order: the same bits on every processor.
 */
final class GradientSteps {
  private static final int TRIES = 64;
  private static final float SATURATED = 80;
  private static final double LARGE_PRODUCT = 1e250;

  private final float[][] users;
  private final float[][] items;
  private final int factors;
  private final boolean itemBias;
  private final NegativeItems negatives;
  private final BarredCells barred;
  private final float rate;
  private final float keepUser;
  private final float keepPositive;
  private final float keepNegative;

  /**
   * Prepare an epoch's steps.
   *
   * @param users rows of factors. Modified.
   * @param items rows of factors. Modified.
   */
  GradientSteps(
      float[][] users,
      float[][] items,
      int rank,
      boolean itemBias,
      NegativeItems negatives,
      BarredCells barred,
      PairwisePenalties penalties,
      double rate) {
    this.users = users;
    this.items = items;
    this.factors = itemBias ? rank - 1 : rank;
    this.itemBias = itemBias;
    this.negatives = negatives;
    this.barred = barred;
    this.rate = (float) rate;
    this.keepUser = (float) (1 - rate * penalties.users());
    this.keepPositive = (float) (1 - rate * penalties.positives());
    this.keepNegative = (float) (1 - rate * penalties.negatives());
  }

  /**
   * Hold sums over samples.
   *
   * @param samples how many
   * @param loss the sum of their losses
   * @param right how many are ranked right, draws counting half
   */
  record Tally(long samples, double loss, double right) {
    static final Tally NONE = new Tally(0, 0, 0);

    Tally plus(Tally other) {
      return new Tally(samples + other.samples, loss + other.loss, right + other.right);
    }
  }

  /**
   * Make the steps of some samples.
   *
   * @param samples user and item of each. Not modified.
   * @param block where negatives are drawn from
   * @param seed the start of the random numbers
   */
  Tally run(long[] samples, int from, int to, int block, long seed) {
    if (negatives.empty(block)) {
      return Tally.NONE;
    }
    long state = seed;
    long updates = 0;
    long halves = 0;
    double loss = 0;
    // The logarithm of a product of many costs less than one of each.
    double product = 1;
    for (int k = from; k < to; k++) {
      int user = (int) (samples[k] >>> 32);
      int positive = (int) samples[k];
      int negative = -1;
      for (int attempt = 0; attempt < TRIES; attempt++) {
        state += 0x9e3779b97f4a7c15L;
        int drawn = negatives.draw(block, mix(state));
        if (!barred.contains(user, drawn)) {
          negative = drawn;
          break;
        }
      }
      if (negative < 0) {
        continue;
      }
      float[] u = users[user];
      float[] p = items[positive];
      float[] n = items[negative];
      float x = difference(u, p, n, factors);
      if (itemBias) {
        x += p[factors] - n[factors];
      }
      updates++;
      halves += x > 0 ? 2 : x == 0 ? 1 : 0;
      float g;
      if (x >= SATURATED) {
        g = 0;
      } else if (x <= -SATURATED) {
        g = 1;
        loss -= x;
      } else {
        double odds = Exponential.of(-x);
        product *= 1 + odds;
        g = (float) (odds / (1 + odds));
        if (product > LARGE_PRODUCT) {
          loss += StrictMath.log(product);
          product = 1;
        }
      }
      float step = rate * g;
      update(u, p, n, factors, step, keepUser, keepPositive, keepNegative);
      if (itemBias) {
        p[factors] = keepPositive * p[factors] + step;
        n[factors] = keepNegative * n[factors] - step;
      }
    }
    return new Tally(updates, loss + StrictMath.log(product), halves / 2.0);
  }

  /** Return u . (p - n). Eight sums side by side: one would wait for each addition. */
  private static float difference(float[] u, float[] p, float[] n, int count) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    float e = 0;
    float f = 0;
    float g = 0;
    float h = 0;
    int k = 0;
    for (; k + 7 < count; k += 8) {
      a += u[k] * (p[k] - n[k]);
      b += u[k + 1] * (p[k + 1] - n[k + 1]);
      c += u[k + 2] * (p[k + 2] - n[k + 2]);
      d += u[k + 3] * (p[k + 3] - n[k + 3]);
      e += u[k + 4] * (p[k + 4] - n[k + 4]);
      f += u[k + 5] * (p[k + 5] - n[k + 5]);
      g += u[k + 6] * (p[k + 6] - n[k + 6]);
      h += u[k + 7] * (p[k + 7] - n[k + 7]);
    }
    for (; k < count; k++) {
      a += u[k] * (p[k] - n[k]);
    }
    return a + e + (b + f) + (c + g + (d + h));
  }

  private static void update(
      float[] u,
      float[] p,
      float[] n,
      int count,
      float step,
      float keepUser,
      float keepPositive,
      float keepNegative) {
    for (int k = 0; k < count; k++) {
      float before = u[k];
      float positive = p[k];
      float negative = n[k];
      u[k] = keepUser * before + step * (positive - negative);
      p[k] = keepPositive * positive + step * before;
      n[k] = keepNegative * negative - step * before;
    }
  }

  private static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
