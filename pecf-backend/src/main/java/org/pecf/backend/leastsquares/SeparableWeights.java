package org.pecf.backend.leastsquares;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Product;
import org.pecf.api.field.Separable;
import org.pecf.api.field.ValueRange;

/**
 * Weights whose background is {@code p_i q_j b}: a constant times a factor of the user and one of
 * the item.
 *
 * <p>They cost what a constant background costs. With {@code u'_i = sqrt(p_i) u_i} and {@code v'_j
 * = sqrt(q_j) v_j} the problem is one of the constant background b: {@code sum w_ij (t_ij - u_i .
 * v_j)^2 = sum (w_ij / p_i q_j) (sqrt(p_i q_j) t_ij - u'_i . v'_j)^2}, where background cells weigh
 * {@code p_i q_j b / p_i q_j = b} and, their targets being zero, keep them; an exception has the
 * excess {@code w_ij / p_i q_j - b} and the pull {@code w_ij t_ij / sqrt(p_i q_j)}, and the penalty
 * of user i is {@code lambda_i / p_i}, that of item j {@code lambda_j / q_j}. A row whose factor is
 * zero has no weight; its solution is zero.
 *
 * <p>The factors come from {@link Separable} fields in front of the weights, which multiply every
 * cell, and from {@link ItemWeights}, which multiply the background at least.
 */
final class SeparableWeights {
  private SeparableWeights() {}

  /** Return the product of the separable fields that multiply the weights of every cell. */
  static Optional<Separable> around(CellField weights) {
    return factors(weights).stream()
        .filter(Separable.class::isInstance)
        .map(Separable.class::cast)
        .reduce(Separable::times);
  }

  /** Return the weights without the separable fields that multiply them. */
  static CellField within(CellField weights) {
    List<CellField> factors = factors(weights);
    List<CellField> others =
        factors.stream().filter(factor -> !(factor instanceof Separable)).toList();
    if (others.size() == factors.size()) {
      return weights;
    }
    return others.size() == 1 ? others.get(0) : new Product(others);
  }

  /** Return the factors of a product, products of products taken apart. */
  private static List<CellField> factors(CellField field) {
    return field instanceof Product product
        ? product.factors().stream().flatMap(factor -> factors(factor).stream()).toList()
        : List.of(field);
  }

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
