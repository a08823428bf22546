package org.pecf.backend.field;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FactorModel;

/**
 * A linear combination of factor models: {@code sum_k c_k u_i^(k) . v_j^(k)}.
 *
 * @param models the models
 * @param coefficients one coefficient per model
 */
public record ScoreCombination(List<FactorModel> models, List<Float> coefficients) {
  /** The largest relative difference between proportions that are meant to be equal. */
  private static final float ROUNDING = 1e-5f;

  public ScoreCombination {
    models = models.stream().map(FactorModel::lent).toList();
    coefficients = List.copyOf(coefficients);
  }

  /** Collect the scores among the terms of a linear field, in order. */
  public static ScoreCombination of(List<Linear.Term> terms) {
    List<FactorModel> models = new ArrayList<>();
    List<Float> coefficients = new ArrayList<>();
    for (Linear.Term term : terms) {
      if (term.field() instanceof Score score) {
        models.add(score.model());
        coefficients.add(term.coefficient());
      }
    }
    return new ScoreCombination(models, coefficients);
  }

  /** Return a field of scores and nothing else as a combination, if it is one. */
  public static Optional<ScoreCombination> ofScores(CellField field) {
    List<Linear.Term> terms =
        field instanceof Linear linear ? linear.terms() : List.of(new Linear.Term(1, field));
    ScoreCombination scores = of(terms);
    return scores.isEmpty() || scores.size() < terms.size()
        ? Optional.empty()
        : Optional.of(scores);
  }

  /** Return whether there are no models. */
  public boolean isEmpty() {
    return models.isEmpty();
  }

  /** Return the number of models. */
  public int size() {
    return models.size();
  }

  /** Return one of the models. */
  public FactorModel model(int index) {
    return models.get(index);
  }

  /** Return the coefficient of a model. */
  public float coefficient(int index) {
    return coefficients.get(index);
  }

  /** Return 1 or -1 if the other combination is this one or its negative, else 0. */
  public int signTo(ScoreCombination other) {
    if (size() != other.size()) {
      return 0;
    }
    int sign = 0;
    for (int k = 0; k < size(); k++) {
      float own = coefficient(k);
      float theirs = other.coefficient(k);
      int here = own == theirs ? 1 : own == -theirs ? -1 : 0;
      if (!model(k).equals(other.model(k)) || here == 0 || sign != 0 && here != sign) {
        return 0;
      }
      sign = here;
    }
    return sign;
  }

  /**
   * Return whether another combination begins with the models of this one, in the same proportions
   * but for rounding.
   */
  public boolean isContinuedBy(ScoreCombination other) {
    if (size() > other.size() || coefficient(0) == 0 || other.coefficient(0) == 0) {
      return false;
    }
    float scale = other.coefficient(0) / coefficient(0);
    for (int k = 0; k < size(); k++) {
      float expected = scale * coefficient(k);
      if (!model(k).equals(other.model(k))
          || Math.abs(other.coefficient(k) - expected) > ROUNDING * Math.abs(expected)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Return the rest of this combination if a part of it, times a sign, is taken away.
   *
   * @return nothing if it is no part, or all
   */
  public Optional<ScoreCombination> without(ScoreCombination part, int sign) {
    if (part.isEmpty() || part.size() >= size()) {
      return Optional.empty();
    }
    List<FactorModel> restModels = new ArrayList<>(models);
    List<Float> restCoefficients = new ArrayList<>(coefficients);
    for (int k = 0; k < part.size(); k++) {
      int at = 0;
      while (at < restModels.size()
          && !(restModels.get(at).equals(part.model(k))
              && restCoefficients.get(at) == sign * part.coefficient(k))) {
        at++;
      }
      if (at == restModels.size()) {
        return Optional.empty();
      }
      restModels.remove(at);
      restCoefficients.remove(at);
    }
    return Optional.of(new ScoreCombination(restModels, restCoefficients));
  }
}
