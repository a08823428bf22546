package org.pecf.engine.construct;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.pecf.engine.algebra.SymmetricMatrix;
import org.pecf.engine.evaluate.CandidatePool;
import org.pecf.engine.evaluate.ListLikelihood;

/**
 * The weights of models under which positives held out are likeliest among the items of their
 * users, by a softmax over the scores of the mixture. Weights have either sign: a model that
 * favours what others favour too much is subtracted.
 *
 * <p>The first fit is to an even sample of all items, which no model has chosen; from then on to
 * the best items of the mixture found before, where lists are decided. (Items that are among the
 * best of single models would not do: that one of them is there because of one model alone speaks
 * against that model.) Each fit is concave with a weak penalty, solved by Newton steps. In the end
 * models are left out one by one whose weight improves the likelihood by less than a parameter
 * costs (Akaike's criterion).
 */
final class StackedWeights {
  private static final int PASSES = 2;
  private static final int MOST_STEPS = 50;

  /** The gain of likelihood, twice that of a step, below which a fit has ended. */
  private static final double LEAST_GAIN = 1e-9;

  /** The length of a step, as a part of Newton's, below which there is none. */
  private static final double SHORTEST = 1e-9;

  /** The square of a weight beside its standard error below which it is not worth having. */
  private static final double LEAST_EVIDENCE = 2;

  private final CandidatePool pool;
  private final double[] penalties;

  /**
   * The fit of some models' weights to a pool.
   *
   * @param penalties the penalty of half the square of each model's weight
   */
  private StackedWeights(CandidatePool pool, double[] penalties) {
    this.pool = pool;
    this.penalties = penalties;
  }

  /** Fit weights whose absolute values add up to 1. */
  static WeightSearch.Found fit(CandidatePool.Source source) {
    CandidatePool sample = source.sample();
    int models = sample.models();
    boolean[] used = new boolean[models];
    Arrays.fill(used, true);
    double[] variances = variances(sample);
    double[] weights = new StackedWeights(sample, variances).newton(new double[models], used);
    CandidatePool best = sample;
    for (int pass = 0; pass < PASSES; pass++) {
      CandidatePool next = source.bestOf(weights);
      if (next.positives() == 0) {
        break;
      }
      best = next;
      weights = new StackedWeights(best, variances).newton(weights, used);
    }
    weights = new StackedWeights(best, variances).eliminate(weights, used);
    double sum = Arrays.stream(weights).map(Math::abs).sum();
    // Where nothing can be told from the positives, all models have the same weight.
    double[] shares =
        Arrays.stream(weights).map(weight -> sum > 0 ? weight / sum : 1.0 / models).toArray();
    return new WeightSearch.Found(shares, best.measure(shares));
  }

  /**
   * Fit weights to a pool as it is.
   *
   * @param start the weights to begin with. Not modified.
   */
  static double[] fit(CandidatePool pool, double[] start) {
    boolean[] used = new boolean[start.length];
    Arrays.fill(used, true);
    return new StackedWeights(pool, variances(pool)).newton(start, used);
  }

  /**
   * Return the variances of scores: the curvature at weights of zero is that times the number of
   * positives.
   */
  private static double[] variances(CandidatePool pool) {
    int models = pool.models();
    ListLikelihood start = pool.likelihood(new double[models]);
    double[] curvature = start.curvature();
    return IntStream.range(0, models)
        .mapToDouble(k -> curvature[k * models + k] / Math.max(1, start.positives()))
        .toArray();
  }

  /**
   * Maximise the penalised likelihood.
   *
   * @param start the weights to begin with. Not modified.
   * @param used which models may have a weight. Not modified.
   */
  private double[] newton(double[] start, boolean[] used) {
    double[] weights = start;
    ListLikelihood likelihood = pool.likelihood(weights);
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] slope = slope(likelihood, weights, used);
      double[] direction = equations(likelihood, used).solve(slope);
      double gain =
          IntStream.range(0, slope.length).mapToDouble(k -> slope[k] * direction[k]).sum();
      double before = penalised(likelihood, weights);
      double[] next = weights;
      double length = gain > LEAST_GAIN ? 1 : 0;
      while (next == weights && length > SHORTEST) {
        double[] there = moved(weights, direction, length);
        ListLikelihood ofThere = pool.likelihood(there);
        if (penalised(ofThere, there) >= before + 1e-4 * length * gain) {
          next = there;
          likelihood = ofThere;
        }
        length /= 2;
      }
      if (next == weights) {
        break;
      }
      weights = next;
    }
    return weights;
  }

  private static double[] moved(double[] weights, double[] direction, double length) {
    return IntStream.range(0, weights.length)
        .mapToDouble(k -> weights[k] + length * direction[k])
        .toArray();
  }

  private double penalised(ListLikelihood likelihood, double[] weights) {
    double penalty = 0;
    for (int k = 0; k < weights.length; k++) {
      penalty += penalties[k] * weights[k] * weights[k];
    }
    return likelihood.value() - penalty / 2;
  }

  /** Return the derivatives of the penalised likelihood; zero for models that are left out. */
  private double[] slope(ListLikelihood likelihood, double[] weights, boolean[] used) {
    double[] slope = likelihood.gradient();
    for (int k = 0; k < slope.length; k++) {
      slope[k] = used[k] ? slope[k] - penalties[k] * weights[k] : 0;
    }
    return slope;
  }

  /** Return the factorised equations of a Newton step, in which models left out do not move. */
  private SymmetricMatrix equations(ListLikelihood likelihood, boolean[] used) {
    int models = used.length;
    double[] curvature = likelihood.curvature();
    SymmetricMatrix equations = new SymmetricMatrix(models);
    double[] elements = equations.elements();
    for (int i = 0; i < models; i++) {
      for (int j = 0; j < i; j++) {
        elements[i * models + j] = used[i] && used[j] ? curvature[i * models + j] : 0;
      }
      double diagonal = curvature[i * models + i] + penalties[i];
      // A model whose scores do not vary gets no weight, whatever stands here.
      elements[i * models + i] = used[i] && diagonal > 0 ? diagonal : 1;
    }
    if (!equations.factorise()) {
      throw new ArithmeticException("the curvature of a likelihood is not positive definite");
    }
    return equations;
  }

  /** Leave models out, the least useful first, as long as their weight is not worth having. */
  private double[] eliminate(double[] found, boolean[] used) {
    double[] weights = found;
    int left = used.length;
    while (left > 1) {
      SymmetricMatrix equations = equations(pool.likelihood(weights), used);
      int least = -1;
      double evidence = LEAST_EVIDENCE;
      for (int k = 0; k < used.length; k++) {
        if (used[k]) {
          double[] unit = new double[used.length];
          unit[k] = 1;
          double own = weights[k] * weights[k] / equations.solve(unit)[k];
          if (own < evidence) {
            least = k;
            evidence = own;
          }
        }
      }
      if (least < 0) {
        break;
      }
      used[least] = false;
      left--;
      double[] without = weights.clone();
      without[least] = 0;
      weights = newton(without, used);
    }
    return weights;
  }
}
