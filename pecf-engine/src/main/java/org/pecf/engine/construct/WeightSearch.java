package org.pecf.engine.construct;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.pecf.engine.evaluate.CandidatePool;

/**
 * The search for the weights of models under which a metric of their mixture is best.
 *
 * <p>Models are first selected one by one, with replacement (Caruana et al. 2004): each step adds a
 * unit of the weight of the model that helps most, so weights are multiples of one over the number
 * of steps and hardly fit noise. Then all weights are corrected together, one after the other, as
 * long as one of a few other values of a weight is better; a weight is also set to zero where that
 * costs nothing, which drops models that others have made superfluous.
 */
final class WeightSearch {
  private static final int MOST_STEPS = 40;

  /** The number of steps without a gain after which selection ends. */
  private static final int PATIENCE = 6;

  private static final int MOST_PASSES = 5;
  private static final double[] FACTORS = {0, 0.5, 0.8, 1.25, 2};

  private final ToDoubleFunction<double[]> measure;
  private final int models;

  /** Weights and the value of the metric that they reach. */
  record Found(double[] weights, double value) {}

  /** Search for the weights of a pool's models that are best by its metric. */
  static Found search(CandidatePool pool) {
    return new WeightSearch(pool::measure, pool.models()).search();
  }

  /**
   * Prepare a search.
   *
   * @param measure the value of the metric for weights, which it does not modify; the higher, the
   *     better
   * @param models the number of models
   */
  WeightSearch(ToDoubleFunction<double[]> measure, int models) {
    this.measure = measure;
    this.models = models;
  }

  /** Search, and return weights that add up to 1. */
  Found search() {
    Found found = correct(select());
    double sum = Arrays.stream(found.weights).sum();
    return new Found(Arrays.stream(found.weights).map(w -> w / sum).toArray(), found.value);
  }

  /** Add the best model again and again; return the best weights on the way. */
  private Found select() {
    double[] counts = new double[models];
    Found best = step(counts);
    Found latest = best;
    int idle = 0;
    for (int step = 1; step < MOST_STEPS && idle < PATIENCE && models > 1; step++) {
      latest = step(latest.weights);
      boolean gain = latest.value > best.value;
      best = gain ? latest : best;
      idle = gain ? 0 : idle + 1;
    }
    return best;
  }

  /** Return the best of all weights with one unit more; of equal ones the first. */
  private Found step(double[] counts) {
    Found best = with(counts, 0, counts[0] + 1);
    for (int k = 1; k < models; k++) {
      Found other = with(counts, k, counts[k] + 1);
      best = other.value > best.value ? other : best;
    }
    return best;
  }

  private Found with(double[] weights, int model, double weight) {
    double[] changed = weights.clone();
    changed[model] = weight;
    return new Found(changed, measure.applyAsDouble(changed));
  }

  /** Change one weight after the other while that helps. */
  private Found correct(Found start) {
    Found best = start;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      Found before = best;
      for (int k = 0; k < models; k++) {
        best = correct(best, k);
      }
      if (best == before) {
        break;
      }
    }
    return best;
  }

  private Found correct(Found start, int model) {
    double[] weights = start.weights;
    double total = Arrays.stream(weights).sum();
    Found best = start;
    if (weights[model] == 0) {
      Found other = with(weights, model, total / MOST_STEPS);
      return other.value > best.value ? other : best;
    }
    for (double factor : FACTORS) {
      if (factor > 0 || weights[model] < total) {
        Found other = with(weights, model, factor * weights[model]);
        boolean free = factor == 0 && other.value == best.value;
        best = free || other.value > best.value ? other : best;
      }
    }
    return best;
  }
}
