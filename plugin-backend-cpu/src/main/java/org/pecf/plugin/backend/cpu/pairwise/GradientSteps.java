package org.pecf.plugin.backend.cpu.pairwise;

import org.pecf.api.compute.PairwisePenalties;
import org.pecf.backend.pairwise.NegativeItems;

/**
 * The gradient steps of one run of samples; each sample is measured before its step.
 *
 * <p>Plain float arithmetic in a fixed order: the same bits on every processor.
 */
final class GradientSteps {
  private static final int TRIES = 64;
  private static final double SMALL_PRODUCT = 1e-250;

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
   * Sums over samples.
   *
   * @param samples the number of samples
   * @param loss the sum of their losses
   * @param right the number that are ranked right, ties counting half
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
   * @param block the block of items from which negatives are drawn
   * @param seed the seed of the random numbers
   */
  Tally run(long[] samples, int from, int to, int block, long seed) {
    if (negatives.empty(block)) {
      return Tally.NONE;
    }
    float[] products = new float[factors];
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
      float x = difference(u, p, n, products);
      if (itemBias) {
        x += p[factors] - n[factors];
      }
      updates++;
      halves += x > 0 ? 2 : x == 0 ? 1 : 0;
      float g;
      if (Math.abs(x) < Sigmoid.LIMIT) {
        float tail = Sigmoid.tail(Math.abs(x));
        g = x > 0 ? tail : 1 - tail;
        product *= x > 0 ? 1.0 - tail : tail;
        if (product < SMALL_PRODUCT) {
          loss -= StrictMath.log(product);
          product = 1;
        }
      } else {
        g = x > 0 ? 0 : 1;
        loss += x > 0 ? 0 : -x;
      }
      float step = rate * g;
      update(u, p, n, factors, step, keepUser, keepPositive, keepNegative);
      if (itemBias) {
        p[factors] = keepPositive * p[factors] + step;
        n[factors] = keepNegative * n[factors] - step;
      }
    }
    return new Tally(updates, loss - StrictMath.log(product), halves / 2.0);
  }

  /**
   * Return u . (p - n). The products are one loop and their sum another: the first is vectorised,
   * and the second, four sums side by side, does not wait for each addition.
   *
   * @param products receives the terms of the sum. Modified.
   */
  private static float difference(float[] u, float[] p, float[] n, float[] products) {
    int count = products.length;
    for (int k = 0; k < count; k++) {
      products[k] = u[k] * (p[k] - n[k]);
    }
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int k = 0;
    for (; k + 3 < count; k += 4) {
      a += products[k];
      b += products[k + 1];
      c += products[k + 2];
      d += products[k + 3];
    }
    for (; k < count; k++) {
      a += products[k];
    }
    return a + b + (c + d);
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
