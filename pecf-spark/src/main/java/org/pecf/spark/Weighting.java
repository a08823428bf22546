package org.pecf.spark;

import java.util.List;
import java.util.Locale;
import org.pecf.api.PecfException;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.ValueRange;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.leastsquares.Background;

/**
 * The posterior weighting of cells for members after the first.
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

  /** Return the weight of a perfectly predicted cell, before scaling. */
  double least() {
    return at(function(1), 0);
  }

  /** Return a weight to the precision of the definition. */
  private static double at(Posterior function, double error) {
    return function.range(List.of(ValueRange.of(error))).low();
  }

  /** Return the half of the second derivative of the weight at no error, before scaling. */
  double slope() {
    return nu * least() * least() / (sigma * sigma);
  }

  /**
   * Return the scale of weights.
   *
   * @param plain the sum of the weights of all cells before re-weighting
   * @param raw the sum of the weights of all cells, not scaled
   */
  double scale(double plain, double raw) {
    return switch (scaling) {
      case RAW -> 1;
      case UNIT -> 1 + nu;
      case MEAN -> plain / raw;
    };
  }

  /**
   * Split the weights into those of a background and of exceptions, by the rule of all backends.
   *
   * @param positive the weight of positives before re-weighting
   * @param zero the weight of zeros before re-weighting
   * @param weightError the largest relative error of a background weight
   */
  Background background(float positive, float zero, double weightError) {
    double scale = scaling == Scaling.MEAN ? 1 : scale(0, 0);
    return TaskAlgebra.run(
        (memory, worker) -> {
          try (SparseCells cells =
                  SparseCells.ofSorted(memory, 1, 1, 1, new int[] {0}, new int[] {0});
              FactorModel model = FactorModel.allocate(memory, new GridShape(1, 1), 1)) {
            CellField ratings = CellField.observed(cells, 1, 0);
            CellField errors = CellField.difference(ratings, CellField.score(model));
            CellField weights =
                CellField.product(
                    CellField.observed(cells, positive, zero),
                    new Apply(function(scale), List.of(errors)));
            return Background.of(weights, ratings, weightError);
          }
        });
  }

  /**
   * Return the least k with {@code rho(e) - rho(0) <= k e^2} for all errors e: no zero weighs more
   * than that beyond the background, so that k times the sum of squared predictions bounds the
   * weight that is ignored where zeros are not looked at one by one.
   */
  double steepestChord() {
    Posterior rho = function(1);
    double least = least();
    double steepest = 0;
    for (int step = 1; step <= STEPS; step++) {
      double squared = sigma * sigma * SATURATED * step / STEPS;
      steepest = Math.max(steepest, (at(rho, Math.sqrt(squared)) - least) / squared);
    }
    // The slope at zero, and the error of the steps.
    return 1.001 * Math.max(steepest, slope());
  }
}
