package org.pecf.backend.field;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.Product;

/**
 * A rewriting of fields to their values where no cell is observed, with constants folded. The same
 * field is always rewritten as the same object, so that powers stay powers.
 */
public final class UnobservedRewrite {
  private final Map<CellField, CellField> known = new IdentityHashMap<>();

  /** Create a rewriting that has seen no field yet. */
  public UnobservedRewrite() {}

  /** Rewrite a field. */
  public CellField of(CellField field) {
    CellField rewritten = known.get(field);
    if (rewritten == null) {
      rewritten = rewrite(field);
      known.put(field, rewritten);
    }
    return rewritten;
  }

  private CellField rewrite(CellField field) {
    if (field instanceof Observed observed) {
      return new Constant(observed.outside());
    }
    if (field instanceof Product product) {
      return product(product);
    }
    if (field instanceof Linear linear) {
      return linear(linear);
    }
    if (field instanceof Apply apply) {
      return new Apply(apply.function(), apply.arguments().stream().map(this::of).toList());
    }
    return field;
  }

  private CellField product(Product product) {
    float coefficient = 1;
    List<CellField> factors = new ArrayList<>();
    for (CellField factor : product.factors()) {
      CellField plain = of(factor);
      if (plain instanceof Constant constant) {
        coefficient *= constant.value();
      } else {
        factors.add(plain);
      }
    }
    if (factors.isEmpty()) {
      return new Constant(coefficient);
    }
    factors.add(new Constant(coefficient));
    return new Product(factors);
  }

  private CellField linear(Linear linear) {
    float sum = 0;
    List<Linear.Term> terms = new ArrayList<>();
    for (Linear.Term term : linear.terms()) {
      CellField plain = of(term.field());
      if (plain instanceof Constant constant) {
        sum += term.coefficient() * constant.value();
      } else {
        terms.add(new Linear.Term(term.coefficient(), plain));
      }
    }
    if (terms.isEmpty()) {
      return new Constant(sum);
    }
    if (sum != 0) {
      terms.add(new Linear.Term(1, new Constant(sum)));
    }
    return new Linear(terms);
  }
}
