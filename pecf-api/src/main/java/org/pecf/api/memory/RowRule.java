package org.pecf.api.memory;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The rule by which a factor model takes in a row that it was not trained on: a new user's factors
 * from the items that the user likes, or the mirror image for a new item.
 *
 * <p>A rule is data, stored with the model. So new users are taken in by plain computation, without
 * the plugin that trained the model, unless the rule is {@link OfFilter}. A row's weights w and
 * targets t are those that the member's training would have given it; v_j are the factors of the
 * other side, which do not change.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface RowRule {
  /**
   * The row x that minimises {@code sum_j w_j (t_j - x . v_j)^2 + lambda / 2 |x|^2} with {@code
   * lambda = unitPenalty s^exponent}, where s is the sum of the row's weights. A row without weight
   * is zero.
   *
   * @param unitPenalty the penalty of a row whose weights sum to 1, above 0
   * @param exponent the power of a row's weight in its penalty, from 0 to 1
   */
  record LeastSquares(double unitPenalty, double exponent) implements RowRule {
    public LeastSquares {
      if (!(unitPenalty > 0
          && unitPenalty < Double.POSITIVE_INFINITY
          && exponent >= 0
          && exponent <= 1)) {
        throw new IllegalArgumentException(
            String.format(
                "a penalty must be finite and above 0 and its exponent from 0 to 1, not %s and %s",
                unitPenalty, exponent));
      }
    }
  }

  /**
   * The default for factor models: the row that fits best by weighted least squares, with a ridge
   * of a hundredth of the mean of the equations' diagonal. It suits any model whose scores are on
   * the scale of its targets; it is what the filter would have found only if that is how it trains.
   */
  record BestFit() implements RowRule {}

  /**
   * The row that is one on positives and zero elsewhere, of a model with a factor for each row of
   * the other side, followed by factors that are always one.
   *
   * @param ones the number of factors that are always one
   */
  record Positives(int ones) implements RowRule {
    public Positives {
      if (ones < 0) {
        throw new IllegalArgumentException("the number of ones cannot be " + ones);
      }
    }
  }

  /**
   * The same value for all factors of all rows.
   *
   * @param value the value
   */
  record Same(float value) implements RowRule {}

  /**
   * The row that pairwise steps lead to, {@code x += rate ((1 - sigmoid(d)) (v_j - v_k) / slope -
   * penalty x)} with {@code d = x . (v_j - v_k) / slope}: from zero, in every epoch as many as the
   * row has positives, for a positive j drawn in proportion to its weight and another k drawn in
   * proportion to a power of its number of positives. The last factor is always one.
   *
   * @param slope the factor by which scores were multiplied after training; 0 if they did not vary
   * @param rate the step length of the first epoch; it falls to 0 linearly, so that the row does
   *     not depend on the last samples
   * @param penalty the penalty of the row
   * @param epochs the number of epochs
   * @param power the power of the number of positives by which others are drawn; 0 for uniformly
   */
  record Pairwise(double slope, double rate, double penalty, int epochs, double power)
      implements RowRule {
    public Pairwise {
      if (!(slope >= 0
          && slope < Double.POSITIVE_INFINITY
          && rate > 0
          && rate < Double.POSITIVE_INFINITY
          && penalty >= 0
          && penalty < Double.POSITIVE_INFINITY
          && epochs >= 0
          && power >= 0
          && power < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            String.format(
                "a slope of %s, a rate of %s, a penalty of %s, %s epochs or a power of %s is out of"
                    + " range",
                slope, rate, penalty, epochs, power));
      }
    }
  }

  /**
   * The row that makes the row's positives likely among all cells: the x of length one at which
   * {@code sum_j w_j (x . y_j / t - ln sum_k exp(x . y_k / t))}, over positives j and all cells k,
   * is large, with {@code y = v / slope}. It starts in the direction of the positives' mean and
   * goes up the gradient in a fixed number of steps. The last factor is always one.
   *
   * @param slope the factor by which scores were multiplied after training; 0 if they did not vary
   * @param temperature t
   * @param steps the number of steps
   */
  record Softmax(double slope, double temperature, int steps) implements RowRule {
    public Softmax {
      if (!(slope >= 0
          && slope < Double.POSITIVE_INFINITY
          && temperature > 0
          && temperature < Double.POSITIVE_INFINITY
          && steps >= 0
          && steps <= 1000)) {
        throw new IllegalArgumentException(
            String.format(
                "a slope of %s, a temperature of %s or %s steps is out of range",
                slope, temperature, steps));
      }
    }
  }

  /**
   * The similarities of a new user to those of the training, for a {@link SparseProductModel} that
   * runs over users: {@code factor (w_iv / (sqrt(w_i w_v) + shrinkage))^locality} for the most
   * similar users v, zero for all others, where w_iv is the sum of {@code n_j^-idf} over the items
   * j that both have, w_i the one over all items of i, and n_j the number of users of item j. Of
   * equally similar users the first count. Users of just the same items are left out: they add no
   * item, and one of them is the user, if the user was in the training.
   *
   * @param neighbours how many users are the most similar
   * @param factor the number by which similarities were multiplied after training
   */
  record Neighbours(int neighbours, double idf, double shrinkage, double locality, double factor)
      implements RowRule {
    public Neighbours {
      if (!(neighbours > 0
          && Math.abs(idf) <= 100
          && shrinkage >= 0
          && shrinkage < Double.POSITIVE_INFINITY
          && Math.abs(locality) <= 100
          && Double.isFinite(factor))) {
        throw new IllegalArgumentException(
            String.format(
                "%s neighbours, an idf of %s, a shrinkage of %s, a locality of %s or a factor of %s"
                    + " is out of range",
                neighbours, idf, shrinkage, locality, factor));
      }
    }

    /** Return the same rule for similarities that are multiplied once more. */
    Neighbours times(double more) {
      return new Neighbours(neighbours, idf, shrinkage, locality, factor * more);
    }
  }

  /**
   * The filter's own way, which its plugin knows: {@link
   * org.pecf.api.filter.BaseFilterProvider#rowFitter} of the filter that trained the model, found
   * by its id.
   *
   * @param settings texts for the plugin, stored with the model
   */
  record OfFilter(Map<String, String> settings) implements RowRule {
    public OfFilter {
      settings.values().forEach(Objects::requireNonNull);
      settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    }
  }

  /**
   * No rule: such a row cannot be taken in.
   *
   * @param reason why, as the end of a sentence: "because ..."
   */
  record Impossible(String reason) implements RowRule {}
}
