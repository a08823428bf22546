package org.pecf.engine.construct;

import java.util.OptionalDouble;
import org.pecf.api.PecfException;

/**
 * The settings of expectation maximisation.
 *
 * @param components K
 * @param start the start of the components
 * @param deviation sigma_r from 1e-6 to 1e6, if it is fixed; else it is estimated
 * @param iterations the largest number of E- and M-steps
 * @param tolerance the relative gain of the penalised log-likelihood below which to stop
 */
public record EmSettings(
    int components, Start start, OptionalDouble deviation, int iterations, double tolerance) {
  /** The ways to start the components. */
  public enum Start {
    /** Each component first fits its own random part of the cells (RandEM). */
    RANDOM,
    /** Component k starts from the filter of round k of L2Boost (L2EM). */
    L2BOOST
  }

  /** The least deviation: squared errors divided by its square are far from the largest float. */
  private static final double LEAST_DEVIATION = 1e-6;

  private static final double LARGEST_DEVIATION = 1e6;

  /** The default settings. */
  public static final EmSettings DEFAULT =
      new EmSettings(4, Start.RANDOM, OptionalDouble.empty(), 10, 1e-4);

  public EmSettings {
    if (components < 1 || iterations < 1 || !(tolerance >= 0)) {
      throw PecfException.badOption(
          "EM needs at least 1 component and 1 iteration and a tolerance of at least 0, not %s, %s"
              + " and %s. Raise the one that is too small.",
          components, iterations, tolerance);
    }
    deviation.ifPresent(EmSettings::check);
  }

  private static void check(double deviation) {
    if (!(deviation >= LEAST_DEVIATION && deviation <= LARGEST_DEVIATION)) {
      throw PecfException.badOption(
          "The deviation of EM must be from %s to %s, not %s, with which likelihoods cannot be"
              + " computed. Ratings are 0 and 1, so try 0.5.",
          LEAST_DEVIATION, LARGEST_DEVIATION, deviation);
    }
  }

  /** Return these settings with another number of components. */
  public EmSettings of(int changed) {
    return new EmSettings(changed, start, deviation, iterations, tolerance);
  }
}
