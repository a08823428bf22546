package org.pecf.engine.ensemble;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.Product;

/**
 * The rule by which the cells of a member's training were weighted, as far as it can be stored: a
 * factor of the confidences.
 */
public sealed interface WeightRule {
  /** Return the factor as a function of errors; nothing if only a plugin knows it. */
  Optional<CellFunction> factor();

  /** Return the number of errors that the factor is a function of. */
  int errors();

  /**
   * Return the predictions of a row whose errors the factor is a function of.
   *
   * @param member which member is weighted, counted from 0
   * @param scores the row's scores under each member, as far as the rule looks at them
   * @param before returns the prediction of the members before
   */
  List<float[]> predictions(int member, List<float[]> scores, Supplier<float[]> before);

  /** The confidences as they are. */
  record Plain() implements WeightRule {
    @Override
    public Optional<CellFunction> factor() {
      return Optional.of(arguments -> 1);
    }

    @Override
    public int errors() {
      return 0;
    }

    @Override
    public List<float[]> predictions(int member, List<float[]> scores, Supplier<float[]> before) {
      return List.of();
    }
  }

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

    @Override
    public Optional<CellFunction> factor() {
      return Optional.of(function());
    }

    @Override
    public int errors() {
      return 1;
    }

    @Override
    public List<float[]> predictions(int member, List<float[]> scores, Supplier<float[]> before) {
      return List.of(before.get());
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

    @Override
    public Optional<CellFunction> factor() {
      return Optional.of(function(component, priors, deviation));
    }

    @Override
    public int errors() {
      return priors.size();
    }

    @Override
    public List<float[]> predictions(int member, List<float[]> scores, Supplier<float[]> before) {
      int first = member - component;
      return scores.subList(first, first + priors.size());
    }
  }

  /** A weighting that only its plugin knows. */
  record OfPlugin() implements WeightRule {
    @Override
    public Optional<CellFunction> factor() {
      return Optional.empty();
    }

    @Override
    public int errors() {
      return 0;
    }

    @Override
    public List<float[]> predictions(int member, List<float[]> scores, Supplier<float[]> before) {
      return List.of();
    }
  }

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
