package org.pecf.backend.field;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FactorModel;

/**
 * A constant plus scores: {@code a + sum_k c_k u_i^(k) . v_j^(k)}.
 *
 * @param constant a
 * @param scores the models and their coefficients; perhaps none
 */
record AffineScores(double constant, ScoreCombination scores) {
  /** Return a field as a constant plus scores, if it is nothing else. */
  static Optional<AffineScores> of(CellField field) {
    List<Linear.Term> terms =
        field instanceof Linear linear ? linear.terms() : List.of(new Linear.Term(1, field));
    double constant = 0;
    for (Linear.Term term : terms) {
      if (term.field() instanceof Constant added) {
        constant += (double) term.coefficient() * added.value();
      } else if (!(term.field() instanceof Score)) {
        return Optional.empty();
      }
    }
    return Optional.of(new AffineScores(constant, ScoreCombination.of(terms)));
  }

  /** Return the constant 1. */
  static AffineScores one() {
    return new AffineScores(1, new ScoreCombination(List.of(), List.of()));
  }

  /**
   * Return the terms of {@code sum_ij} of the scores.
   *
   * @param factor the number by which each is multiplied
   */
  List<Double> sums(double factor, FactorSums products) {
    List<Double> sums = new ArrayList<>();
    for (int k = 0; k < scores.size() && factor != 0; k++) {
      FactorModel model = scores.model(k);
      double[] users = products.columnSums(model.users());
      double[] items = products.columnSums(model.items());
      double sum = 0;
      for (int c = 0; c < users.length; c++) {
        sum += users[c] * items[c];
      }
      sums.add(factor * scores.coefficient(k) * sum);
    }
    return sums;
  }
}
