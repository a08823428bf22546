package org.pecf.api.field;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A linear combination of fields: an ensemble's prediction, a residual.
 *
 * <p>Nested combinations are flattened when built, so that all scores of one combination stand side
 * by side: a backend evaluates them as one model of concatenated factors.
 *
 * @param terms the terms of the sum
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Linear(List<Term> terms) implements CellField {
  /**
   * Multiply a field by a number.
   *
   * @param coefficient the number
   * @param field the field
   */
  public record Term(float coefficient, CellField field) {}

  public Linear {
    List<Term> flat = new ArrayList<>();
    for (Term term : terms) {
      if (term.field() instanceof Linear inner) {
        for (Term deep : inner.terms()) {
          flat.add(new Term(term.coefficient() * deep.coefficient(), deep.field()));
        }
      } else {
        flat.add(term);
      }
    }
    terms = List.copyOf(flat);
  }

  @Override
  public float valueAt(int user, int item) {
    float sum = 0;
    for (Term term : terms) {
      sum += term.coefficient() * term.field().valueAt(user, item);
    }
    return sum;
  }

  @Override
  public List<CellField> children() {
    return terms.stream().map(Term::field).toList();
  }

  @Override
  public ValueRange background(float scoreBound) {
    ValueRange sum = ValueRange.of(0);
    boolean scored = false;
    for (Term term : terms) {
      if (term.field() instanceof Score) {
        scored = true;
      } else {
        sum = sum.plus(term.field().background(scoreBound).times(term.coefficient()));
      }
    }
    return scored ? sum.plus(new ValueRange(-scoreBound, scoreBound)) : sum;
  }
}
