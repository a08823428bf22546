package org.pecf.engine.ensemble;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Product;

/**
 * The rule by which the cells of a member's training were weighted, as far as it can be stored: a
 * factor of the confidences.
 */
public sealed interface WeightRule {
  /** The confidences as they are. */
  record Plain() implements WeightRule {}

  /**
   * The posterior weighting, with the constants that its totals gave in training.
   *
   * @param nu how strongly well-predicted cells are weighed down
   * @param sigma the error at which the weight starts to saturate
   * @param scale a constant factor
   */
  record Posterior(float nu, float sigma, float scale) implements WeightRule {
    public Posterior {
      new org.pecf.api.field.Posterior(nu, sigma, scale);
    }

    /** Return the factor as a function of the error. */
    public org.pecf.api.field.Posterior function() {
      return new org.pecf.api.field.Posterior(nu, sigma, scale);
    }
  }

  /**
   * The responsibility of one component of a mixture; the components are neighbours in the
   * ensemble.
   *
   * @param component which one, counted from 0
   * @param priors the shares of all components
   * @param deviation the deviation of ratings from predictions
   */
  record Mixture(int component, List<Double> priors, double deviation) implements WeightRule {
    public Mixture {
      priors = List.copyOf(priors);
      function(component, priors, deviation);
    }

    private static org.pecf.api.field.Responsibility function(
        int component, List<Double> priors, double deviation) {
      return new org.pecf.api.field.Responsibility(
          component, new org.pecf.api.field.Mixture(priors, deviation));
    }

    /** Return the factor as a function of the components' errors. */
    public org.pecf.api.field.Responsibility function() {
      return function(component, priors, deviation);
    }
  }

  /** A weighting that only its plugin knows. */
  record OfPlugin() implements WeightRule {}

  /**
   * Return the rule of weights that a scheme chose. It is derived from the field, so any scheme
   * that uses the engine's functions has a rule that can be stored.
   */
  static WeightRule of(CellField weights, EnsembleState state) {
    if (weights.equals(state.confidence())) {
      return new Plain();
    }
    List<CellField> factors = new ArrayList<>(factors(weights));
    if (factors.size() > 1
        && factors.remove(factors.size() - 1) instanceof Apply apply
        && apply.function() instanceof org.pecf.api.field.Posterior rho
        && apply.arguments().equals(List.of(state.error()))
        && factors.equals(factors(state.confidence()))) {
      return new Posterior(rho.nu(), rho.sigma(), rho.scale());
    }
    return new OfPlugin();
  }

  private static List<CellField> factors(CellField field) {
    return field instanceof Product product ? product.factors() : List.of(field);
  }
}
