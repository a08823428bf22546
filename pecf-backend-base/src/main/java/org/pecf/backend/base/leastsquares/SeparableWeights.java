package org.pecf.backend.base.leastsquares;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Product;
import org.pecf.api.field.ValueRange;

/**
 * Weights whose background is {@code q_j b}: a constant times a factor of the item.
 *
 * <p>They cost what a constant background costs. With {@code v'_j = sqrt(q_j) v_j} the problem is
 * one of the constant background b: {@code sum w_ij (t_ij - u_i . v_j)^2 = sum (w_ij / q_j)
 * (sqrt(q_j) t_ij - u_i . v'_j)^2}, where background cells weigh {@code q_j b / q_j = b} and, their
 * targets being zero, keep them; an exception has the excess {@code w_ij / q_j - b} and the pull
 * {@code w_ij t_ij / sqrt(q_j)}, and the penalty of item j is {@code lambda_j / q_j}.
 */
final class SeparableWeights {
  private SeparableWeights() {}

  /** Return the factors of items, if the background of weights is a multiple of them. */
  static Optional<ItemWeights> items(CellField weights) {
    List<ItemWeights> found = new ArrayList<>();
    collect(weights, found);
    if (found.stream().distinct().count() != 1 || inFunction(weights)) {
      return Optional.empty();
    }
    // A sum of products that vanishes with the factor is proportional to it, unless it is a power.
    ValueRange without = with(weights, 0).background(1e30f);
    ValueRange once = with(weights, 1).background(0);
    ValueRange twice = with(weights, 2).background(0);
    boolean proportional =
        without.low() == 0
            && without.high() == 0
            && twice.low() == 2 * once.low()
            && twice.high() == 2 * once.high();
    return proportional ? Optional.of(found.get(0)) : Optional.empty();
  }

  /** Return the weights divided by the factors of items where no cell is observed. */
  static CellField withoutItems(CellField weights) {
    return with(weights, 1);
  }

  private static void collect(CellField field, List<ItemWeights> found) {
    if (field instanceof ItemWeights items) {
      found.add(items);
    }
    field.children().forEach(child -> collect(child, found));
  }

  /** Return whether factors of items occur anywhere but in sums and products. */
  private static boolean inFunction(CellField field) {
    if (field instanceof Product || field instanceof Linear) {
      return field.children().stream().anyMatch(SeparableWeights::inFunction);
    }
    List<ItemWeights> found = new ArrayList<>();
    field.children().forEach(child -> collect(child, found));
    return !found.isEmpty();
  }

  private static CellField with(CellField field, float factor) {
    if (field instanceof ItemWeights) {
      return new Constant(factor);
    }
    if (field instanceof Product product) {
      return new Product(product.factors().stream().map(part -> with(part, factor)).toList());
    }
    if (field instanceof Linear linear) {
      return new Linear(
          linear.terms().stream()
              .map(term -> new Linear.Term(term.coefficient(), with(term.field(), factor)))
              .toList());
    }
    return field;
  }
}
