package org.pecf.engine.effort;

import java.util.Map;
import org.pecf.api.memory.GridShape;
import org.pecf.engine.data.split.Confidence;

/**
 * The rule that makes settings from the shape of the data. What suits data sets differs by orders
 * of magnitude; relative to these three numbers it hardly does:
 *
 * <ul>
 *   <li>the weight of a zero, relative to the density of positives, so that zeros and positives
 *       have comparable weight in all;
 *   <li>the penalty, relative to the weight of a typical row: the geometric mean of the mean
 *       weights of users and items;
 *   <li>the rank, relative to the smaller side of the grid.
 * </ul>
 *
 * @param shape the grid
 * @param positives the number of positives in training
 * @param given the settings that the user gave, which stay: texts by option
 */
record SettingsRule(GridShape shape, long positives, Map<String, String> given) {
  /** The users or items, whichever are fewer, per factor. */
  static final int ROWS_PER_FACTOR = 25;

  private static final int LEAST_RANK = 16;
  private static final int MOST_RANK = 200;
  private static final double MOST_ZERO = 0.5;

  /** Return the share of cells that are positive in training. */
  double density() {
    return (double) positives / shape.users() / shape.items();
  }

  /**
   * Return settings.
   *
   * @param zero the weight of zeros, as a multiple of the density
   * @param penalty the penalty, as a multiple of the weight of a typical row
   * @param exponent the frequency exponent
   * @param rank the rank, as a multiple of the rank by rule
   */
  FilterSettings settings(double zero, double penalty, double exponent, double rank) {
    String confidence =
        given.getOrDefault(
            FilterSettings.CONFIDENCE,
            "1:" + FilterSettings.rounded(Math.min(MOST_ZERO, zero * density())));
    String lambda =
        given.getOrDefault(
            FilterSettings.LAMBDA,
            FilterSettings.rounded(penalty * rowWeight(Confidence.parse(confidence))));
    return new FilterSettings(
        given.containsKey(FilterSettings.RANK)
            ? Integer.parseInt(given.get(FilterSettings.RANK))
            : (int) Math.max(1, Math.round(rank * usualRank())),
        lambda,
        confidence,
        given.getOrDefault(FilterSettings.EXPONENT, FilterSettings.rounded(exponent)));
  }

  private int usualRank() {
    int smaller = Math.min(shape.users(), shape.items());
    int rank = Math.max(LEAST_RANK, Math.min(MOST_RANK, smaller / ROWS_PER_FACTOR));
    return Math.min(rank, smaller);
  }

  private double rowWeight(Confidence confidence) {
    double ofUser =
        confidence.positive() * positives / shape.users() + confidence.zero() * shape.items();
    double ofItem =
        confidence.positive() * positives / shape.items() + confidence.zero() * shape.users();
    return Math.sqrt(ofUser * ofItem);
  }
}
