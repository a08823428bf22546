package org.pecf.spark;

import java.util.Locale;
import org.pecf.api.PecfException;
import org.pecf.api.field.Posterior;

/**
 * The posterior weighting of cells for members after the first, without a pass over the zeros.
 *
 * @param nu how strongly well-predicted cells are weighed down
 * @param sigma the error at which the weight starts to saturate
 * @param scaling the correction for all weights becoming smaller
 */
record Weighting(double nu, double sigma, Scaling scaling) {
  /** The scalings. */
  enum Scaling {
    /** None. */
    RAW,
    /** A perfectly predicted cell keeps its weight. */
    UNIT,
    /** The total weight stays as it is. */
    MEAN;

    /** Return the scaling of a name. */
    static Scaling named(String name) {
      for (Scaling scaling : values()) {
        if (scaling.name().toLowerCase(Locale.ROOT).equals(name)) {
          return scaling;
        }
      }
      throw PecfException.badOption("There is no scaling '%s'. Use raw, unit or mean.", name);
    }
  }

  /** The steps in which the steepest chord is looked for. */
  private static final int STEPS = 100_000;

  /** The squared error, in units of sigma squared, beyond which weights grow no more. */
  private static final double SATURATED = 60;

  /** Return the weights as a function of the error. */
  Posterior function(double scale) {
    return new Posterior((float) nu, (float) sigma, (float) scale);
  }

  /** Return {@code rho(e)} of a squared error. */
  private double rho(double squared) {
    return 1 / (1 + nu * Math.exp(-squared / (sigma * sigma)));
  }

  /** Return the weight of a perfectly predicted cell, before scaling. */
  double least() {
    return rho(0);
  }

  /**
   * Return the scale of weights.
   *
   * @param total the sum of the weights of all cells before re-weighting
   * @param positives the sum of the re-weighted positives, not scaled
   * @param zeros the sum of the weights of zeros before re-weighting
   * @param squares the sum of the squared predictions of zeros times their weight
   */
  double scale(double total, double positives, double zeros, double squares) {
    return switch (scaling) {
      case RAW -> 1;
      case UNIT -> 1 + nu;
      case MEAN -> {
        // To the second order of predictions; no zero weighs more than 1.
        double slope = nu * least() * least() / (sigma * sigma);
        double zerosAfter = Math.min(zeros, zeros * least() + slope * squares);
        yield total / (positives + zerosAfter);
      }
    };
  }

  /**
   * Return the least k with {@code rho(e) - rho(0) <= k e^2} for all errors e: no zero weighs more
   * than that beyond the background, so that k times the sum of squared predictions bounds the
   * weight that is ignored where zeros are not looked at one by one.
   */
  double steepestChord() {
    double steepest = 0;
    double unit = sigma * sigma;
    for (int step = 1; step <= STEPS; step++) {
      double squared = unit * SATURATED * step / STEPS;
      steepest = Math.max(steepest, (rho(squared) - least()) / squared);
    }
    // The slope at zero, and the error of the steps.
    return 1.001 * Math.max(steepest, nu * least() * least() / unit);
  }
}
