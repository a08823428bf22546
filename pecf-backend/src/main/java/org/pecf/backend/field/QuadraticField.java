package org.pecf.backend.field;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Product;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;

/**
 * A field {@code c (a + s_ij) (b + t_ij)} of constants and of scores s and t. Its sum over all
 * cells is {@code c (a b N + a sum t + b sum s + sum s t)}, which factors give without a pass over
 * the cells: {@code sum_ij (u_i . v_j) (x_i . y_j)} is the inner product of U'X and V'Y.
 */
public final class QuadraticField {
  /**
   * The least sum, relative to the sum of its terms' sizes, that is exact enough: terms come from
   * products in single precision, whose rounding remains when they cancel.
   */
  private static final double CANCELLED = 1e-3;

  private final double factor;
  private final AffineScores left;
  private final AffineScores right;

  private QuadraticField(double factor, AffineScores left, AffineScores right) {
    this.factor = factor;
    this.left = left;
    this.right = right;
  }

  /**
   * Return a field in this form.
   *
   * @param field a field without observed sets, see {@link UnobservedRewrite}
   * @return nothing if it has another form
   */
  public static Optional<QuadraticField> of(CellField field) {
    double factor = 1;
    List<AffineScores> parts = new ArrayList<>();
    for (CellField part : field instanceof Product product ? product.factors() : List.of(field)) {
      if (part instanceof Constant constant) {
        factor *= constant.value();
        continue;
      }
      Optional<AffineScores> affine = AffineScores.of(part);
      if (affine.isEmpty() || parts.size() == 2) {
        return Optional.empty();
      }
      parts.add(affine.get());
    }
    while (parts.size() < 2) {
      parts.add(AffineScores.one());
    }
    return Optional.of(new QuadraticField(factor, parts.get(0), parts.get(1)));
  }

  /** Return whether its sum is less work from factors than by a pass over the cells. */
  public boolean isQuickFrom(GridShape shape) {
    Set<FactorModel> models =
        Stream.of(left, right)
            .flatMap(part -> part.scores().models().stream())
            .collect(Collectors.toSet());
    double ranks = models.stream().mapToInt(FactorModel::rank).sum();
    return ranks * ((double) shape.users() + shape.items()) <= shape.cells();
  }

  /**
   * A sum over all cells.
   *
   * @param value the sum
   * @param size the sum of the sizes of the terms that it was added from
   */
  public record Sum(double value, double size) {
    /** Return whether the terms left enough digits, and are numbers. */
    public boolean isExact() {
      return Double.isFinite(value) && Math.abs(value) >= CANCELLED * size;
    }
  }

  /** Sum over all cells. */
  public Sum sum(GridShape shape, FactorSums products) {
    List<Double> terms = new ArrayList<>();
    terms.add(left.constant() * right.constant() * shape.cells());
    terms.addAll(right.sums(left.constant(), products));
    terms.addAll(left.sums(right.constant(), products));
    List<FactorSums.Pair> pairs = new ArrayList<>();
    for (FactorModel one : left.scores().models()) {
      for (FactorModel other : right.scores().models()) {
        pairs.add(new FactorSums.Pair(one, other));
      }
    }
    double[] found = products.gramianProducts(pairs);
    for (int k = 0; k < found.length; k++) {
      int rights = right.scores().size();
      terms.add(
          (double) left.scores().coefficient(k / rights)
              * right.scores().coefficient(k % rights)
              * found[k]);
    }
    double value = 0;
    double size = 0;
    for (double term : terms) {
      value += term;
      size += Math.abs(term);
    }
    return new Sum(factor * value, Math.abs(factor) * size);
  }

  /**
   * A constant plus scores: {@code a + sum_k c_k u_i^(k) . v_j^(k)}.
   *
   * @param constant a
   * @param scores the models and their coefficients; perhaps none
   */
  private record AffineScores(double constant, ScoreCombination scores) {
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
}
