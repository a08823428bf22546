package org.pecf.testkit.contract;

import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Product;
import org.pecf.api.field.Score;

/** The cells that a constant may stand for; the others need correction. */
final class BackgroundCells {
  private BackgroundCells() {}

  /** Return whether a cell is background in the sense of {@link CellField#background}. */
  static boolean contain(CellField field, int user, int item, double scoreBound) {
    if (field instanceof Constant || field instanceof PartMask) {
      return true;
    }
    if (field instanceof Observed observed) {
      return !observed.cells().contains(user, item);
    }
    if (field instanceof Score) {
      return Math.abs(field.valueAt(user, item)) <= scoreBound;
    }
    if (field instanceof Linear linear) {
      double score = 0;
      for (Linear.Term term : linear.terms()) {
        if (term.field() instanceof Score) {
          score += term.coefficient() * term.field().valueAt(user, item);
        } else if (!contain(term.field(), user, item, scoreBound)) {
          return false;
        }
      }
      return Math.abs(score) <= scoreBound;
    }
    if (field instanceof Product product) {
      return product.factors().stream().allMatch(factor -> contain(factor, user, item, scoreBound));
    }
    if (field instanceof Apply apply) {
      return apply.arguments().stream()
          .allMatch(argument -> contain(argument, user, item, scoreBound));
    }
    return false;
  }
}
