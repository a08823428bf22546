package org.pecf.filter.bpr;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;

/**
 * Map scores to the scale of ratings: a s + b.
 *
 * <p>Ranking scores have no scale of their own, but an ensemble compares a member's predictions
 * with ratings and mixes them with other members'. So a and b minimise {@code sum w (r - a s -
 * b)^2} over all cells, with a at least 0: a member is never turned upside down. The minimum is
 * {@code a = cov(s, r) / var(s)}, {@code b = mean(r) - a mean(s)} with weighted moments if that a
 * is above 0. Otherwise, and where all scores are equal so that no a is better than another, it is
 * a = 0 and b = mean(r): a member that knows nothing says the mean everywhere. Without any weight
 * it is 0 everywhere.
 *
 * @param slope a
 * @param intercept b
 */
record Calibration(double slope, double intercept) {
  /** The share of the scores' mean square below which their variance is rounding. */
  private static final double SINGULAR = 1e-10;

  /** Fit ratings by the scores of a model. */
  static Calibration fit(
      FieldKernels kernels, CellField weights, CellField ratings, FactorModel model) {
    CellField score = CellField.score(model);
    double[] sums =
        kernels.sums(
            List.of(
                weights,
                CellField.product(weights, score),
                CellField.product(weights, ratings),
                CellField.product(weights, score, score),
                CellField.product(weights, score, ratings)));
    return of(sums[0], sums[1], sums[2], sums[3], sums[4]);
  }

  /** Fit by the sums of w, w s, w r, w s^2 and w s r. */
  static Calibration of(double w, double ws, double wr, double wss, double wsr) {
    if (!(w > 0)) {
      return new Calibration(0, 0);
    }
    double mean = ws / w;
    double variance = wss / w - mean * mean;
    double covariance = wsr / w - mean * (wr / w);
    if (variance > SINGULAR * wss / w && covariance > 0) {
      double slope = covariance / variance;
      return new Calibration(slope, wr / w - slope * mean);
    }
    return new Calibration(0, wr / w);
  }

  /**
   * Fold the map into a model whose last user factor is 1.
   *
   * @param model Modified.
   */
  void foldInto(FactorModel model) {
    int bias = model.rank() - 1;
    float[] row = new float[model.rank()];
    for (int item = 0; item < model.shape().items(); item++) {
      model.items().readRow(item, row);
      for (int k = 0; k < bias; k++) {
        row[k] = (float) (slope * row[k]);
      }
      row[bias] = (float) (slope * row[bias] + intercept);
      model.items().writeRows(item, 1, row);
    }
  }

  /** Return a copy of a model with one more factor: 1 of users, 0 of items. */
  static FactorModel withBias(FactorModel model, BufferAllocator allocator) {
    int rank = model.rank();
    FactorModel wider = FactorModel.allocate(allocator, model.shape(), rank + 1);
    float[] row = new float[rank + 1];
    row[rank] = 1;
    for (int user = 0; user < model.shape().users(); user++) {
      model.users().readRow(user, row);
      wider.users().writeRows(user, 1, row);
    }
    row[rank] = 0;
    for (int item = 0; item < model.shape().items(); item++) {
      model.items().readRow(item, row);
      wider.items().writeRows(item, 1, row);
    }
    return wider;
  }
}
