package org.pecf.engine.evaluate;

import org.pecf.engine.algebra.SymmetricMatrix;

/**
 * The logarithm of the likelihood of positives among the items of their users, {@code sum over
 * positives of log(exp(s_j) / sum_k exp(s_k))} with the scores s of a mixture of models, and its
 * derivatives by the weights of the models. It is concave in the weights. Used by one thread at a
 * time.
 */
public final class ListLikelihood {
  private final int models;
  private final double[] gradient;
  private final SymmetricMatrix curvature;
  private long positives;
  private double value;

  /** Create the likelihood of nothing. */
  ListLikelihood(int models) {
    this.models = models;
    this.gradient = new double[models];
    this.curvature = new SymmetricMatrix(models);
  }

  /**
   * Add the positives of a user.
   *
   * @param scores the scores of the user's items, by model. Not modified.
   * @param places which of the items are positives. Not modified.
   * @param weights the weight of each model. Not modified.
   */
  void add(float[][] scores, int[] places, double[] weights) {
    if (places.length == 0) {
      return;
    }
    double[] chances = mixture(scores, weights);
    double highest = Double.NEGATIVE_INFINITY;
    for (double score : chances) {
      highest = Math.max(highest, score);
    }
    for (int place : places) {
      value += chances[place] - highest;
    }
    double sum = 0;
    for (int j = 0; j < chances.length; j++) {
      chances[j] = Math.exp(chances[j] - highest);
      sum += chances[j];
    }
    value -= places.length * Math.log(sum);
    positives += places.length;
    double[] mean = new double[models];
    for (int k = 0; k < models; k++) {
      for (int j = 0; j < chances.length; j++) {
        mean[k] += chances[j] / sum * scores[k][j];
      }
      for (int place : places) {
        gradient[k] += scores[k][place] - mean[k];
      }
    }
    double[] row = new double[models];
    for (int j = 0; j < chances.length; j++) {
      for (int k = 0; k < models; k++) {
        row[k] = scores[k][j] - mean[k];
      }
      curvature.addSquare(places.length * chances[j] / sum, row);
    }
  }

  private static double[] mixture(float[][] scores, double[] weights) {
    double[] mixture = new double[scores[0].length];
    for (int k = 0; k < scores.length; k++) {
      for (int j = 0; j < mixture.length; j++) {
        mixture[j] += weights[k] * scores[k][j];
      }
    }
    return mixture;
  }

  /** Add the positives of other users. */
  void add(ListLikelihood other) {
    positives += other.positives;
    value += other.value;
    for (int k = 0; k < models; k++) {
      gradient[k] += other.gradient[k];
    }
    curvature.add(1, other.curvature.elements());
  }

  /** Return the number of positives. */
  public long positives() {
    return positives;
  }

  /** Return the logarithm of their likelihood. */
  public double value() {
    return value;
  }

  /** Return its first derivatives by the weights. */
  public double[] gradient() {
    return gradient.clone();
  }

  /**
   * Return minus its second derivatives by the weights, row after row; those above the diagonal
   * have no meaning.
   */
  public double[] curvature() {
    return curvature.elements().clone();
  }
}
