package org.pecf.engine.construct;

import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.OptionalDouble;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;

/**
 * The settings of expectation maximisation.
 *
 * @param deviation a fixed sigma_r from 1e-6 to 1e6; estimated if absent
 * @param tolerance the relative gain of the penalised log-likelihood below which to stop
 */
public record EmSettings(
    @Option(
            value = "The number of filters that construction em fits together",
            label = "K",
            defaultValue = "4",
            min = 1)
        int components,
    @Option(
            value = "Where the components of em start from",
            key = "em-start",
            defaultValue = "random")
        Start start,
    @Option(
            value = "The deviation of ratings from predictions in em",
            key = "em-deviation",
            defaultValue = "",
            unset = "estimated")
        OptionalDouble deviation,
    @Option(
            value = "The largest number of E- and M-steps",
            key = "em-iterations",
            defaultValue = "10",
            min = 1)
        int iterations,
    @Option(
            value = "Stop em when the log-likelihood gains less than this fraction",
            key = "em-tolerance",
            defaultValue = "0.0001",
            min = 0)
        double tolerance) {
  /** The ways to start the components. */
  public enum Start {
    /** Each component first fits its own random part of the cells (RandEM). */
    RANDOM,
    /** Component k starts from the filter of round k of L2Boost (L2EM). */
    L2BOOST
  }

  /** The options of expectation maximisation. */
  public static final OptionSchema<EmSettings> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), EmSettings.class);

  /** The default settings. */
  public static final EmSettings DEFAULT = SCHEMA.bind("", Map.of());

  /** The least deviation: squared errors divided by its square are far from the largest float. */
  private static final double LEAST_DEVIATION = 1e-6;

  private static final double LARGEST_DEVIATION = 1e6;

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
}
