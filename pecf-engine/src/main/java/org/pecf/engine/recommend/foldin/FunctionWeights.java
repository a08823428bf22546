package org.pecf.engine.recommend.foldin;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.ValueRange;
import org.pecf.engine.data.split.Confidence;

/**
 * The weights {@code c g(r - f_1, ..., r - f_K)} for a function g of errors: one prediction for the
 * posterior weighting, one for each component of a mixture, none for plain confidences.
 *
 * <p>As in training, zeros whose predictions are all within a bound have the weight of a prediction
 * of zero: the bound keeps the relative error of weights within a tolerance.
 */
final class FunctionWeights implements RowWeights {
  private final ZeroWeights plain;
  private final CellFunction function;
  private final List<float[]> predictions;
  private final float bound;

  /**
   * Create weights.
   *
   * @param predictions the prediction of every cell for each argument. Not modified.
   * @param bound the absolute prediction beyond which a zero is an exception; below 0 if all are
   */
  FunctionWeights(
      ZeroWeights plain, CellFunction function, List<float[]> predictions, float bound) {
    this.plain = plain;
    this.function = function;
    this.predictions = predictions;
    this.bound = bound;
  }

  /**
   * The confidences of a row.
   *
   * @param confidence c of positives and zeros
   * @param row the factor of the row's zeros
   * @param items the factor of each cell's zero, if they differ
   */
  record ZeroWeights(Confidence confidence, double row, Optional<ItemWeights> items) {
    double at(int cell, int rating) {
      if (rating == 1) {
        return confidence.positive();
      }
      double zero = row * confidence.zero();
      return items.isPresent() ? items.get().of(cell) * zero : zero;
    }
  }

  /**
   * Return the largest bound on predictions within which the weights of zeros are within a relative
   * tolerance of their weight at a prediction of zero; below 0 for a tolerance of 0. Without
   * predictions there is no bound.
   *
   * @param arguments the number of arguments of the function
   */
  static float bound(CellFunction function, int arguments, double tolerance) {
    if (arguments == 0) {
      return Float.POSITIVE_INFINITY;
    }
    if (tolerance == 0) {
      return -1;
    }
    double plain = function.value(new float[arguments]);
    float low = 0;
    float high = 1e6f;
    if (error(function, arguments, plain, high) <= tolerance) {
      return Float.POSITIVE_INFINITY;
    }
    for (int step = 0; step < 100; step++) {
      float middle = high > 16 ? (float) Math.sqrt((low + 1.0) * high) : (low + high) / 2;
      if (middle <= low || middle >= high) {
        break;
      }
      if (error(function, arguments, plain, middle) <= tolerance) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double error(CellFunction function, int arguments, double plain, float bound) {
    ValueRange range =
        function.range(Collections.nCopies(arguments, new ValueRange(-bound, bound)));
    double above = (range.high() - plain) / range.high();
    double below = range.low() > 0 ? (plain - range.low()) / range.low() : Double.POSITIVE_INFINITY;
    return Math.max(above, below);
  }

  @Override
  public double at(int cell, int rating) {
    float[] errors = new float[predictions.size()];
    for (int k = 0; k < errors.length; k++) {
      errors[k] = rating - predictions.get(k)[cell];
    }
    return plain.at(cell, rating) * function.value(errors);
  }

  @Override
  public double background() {
    return bound < 0
        ? 0
        : plain.row() * plain.confidence().zero() * function.value(new float[predictions.size()]);
  }

  @Override
  public boolean isException(int cell) {
    if (plain.confidence().zero() == 0) {
      return false;
    }
    for (float[] prediction : predictions) {
      if (!(Math.abs(prediction[cell]) <= bound)) {
        return true;
      }
    }
    return false;
  }
}
