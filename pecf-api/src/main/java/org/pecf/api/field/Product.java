package org.pecf.api.field;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The elementwise product of fields. Nested products are flattened when built.
 *
 * @param factors the factors
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Product(List<CellField> factors) implements CellField {
  public Product {
    List<CellField> flat = new ArrayList<>();
    for (CellField factor : factors) {
      if (factor instanceof Product inner) {
        flat.addAll(inner.factors());
      } else {
        flat.add(factor);
      }
    }
    factors = List.copyOf(flat);
  }

  @Override
  public float valueAt(int user, int item) {
    float product = 1;
    for (CellField factor : factors) {
      product *= factor.valueAt(user, item);
    }
    return product;
  }

  @Override
  public List<CellField> children() {
    return factors;
  }

  @Override
  public ValueRange background(float scoreBound) {
    ValueRange product = ValueRange.of(1);
    for (CellField factor : factors) {
      product = product.times(factor.background(scoreBound));
    }
    return product;
  }
}
