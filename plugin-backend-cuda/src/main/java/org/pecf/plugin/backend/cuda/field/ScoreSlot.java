package org.pecf.plugin.backend.cuda.field;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FactorModel;

/**
 * Name one linear combination of factor models: {@code sum_k c_k u_i^(k) . v_j^(k)}.
 *
 * @param models the models
 * @param coefficients one a model
 */
public record ScoreSlot(List<FactorModel> models, List<Float> coefficients) {
  /** Collect the scores among the terms of a combination, in order. */
  static ScoreSlot of(List<Linear.Term> terms) {
    List<FactorModel> models = new ArrayList<>();
    List<Float> coefficients = new ArrayList<>();
    for (Linear.Term term : terms) {
      if (term.field() instanceof Score score && score.model() instanceof FactorModel model) {
        models.add(model);
        coefficients.add(term.coefficient());
      }
    }
    return new ScoreSlot(List.copyOf(models), List.copyOf(coefficients));
  }

  /** Return 1 or -1 if the other combination is this one or its negative, else 0. */
  int signTo(ScoreSlot other) {
    if (models.size() != other.models.size()) {
      return 0;
    }
    int sign = 0;
    for (int k = 0; k < models.size(); k++) {
      float own = coefficients.get(k);
      float theirs = other.coefficients.get(k);
      int here = own == theirs ? 1 : own == -theirs ? -1 : 0;
      if (models.get(k) != other.models.get(k) || here == 0 || sign != 0 && here != sign) {
        return 0;
      }
      sign = here;
    }
    return sign;
  }
}
