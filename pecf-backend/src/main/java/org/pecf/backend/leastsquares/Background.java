package org.pecf.backend.leastsquares;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Product;
import org.pecf.api.field.Score;
import org.pecf.api.field.Separable;
import org.pecf.api.field.ValueRange;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.field.ObservedSets;

/**
 * The weights and targets of all cells that are no exceptions.
 *
 * @param weight the weight of a background cell; cells held out by a part mask count by
 *     expectation: the weight is multiplied by the share of cells in the part
 * @param share the share of cells that part masks leave in; 1 without a mask
 * @param scoreBound the absolute score beyond which a cell is an exception; infinite if weights do
 *     not depend on scores
 * @param weightError the largest relative error of a weight within the bound
 * @param targets the target of a background cell: a constant plus scores
 * @param items the factor of each item by which its background cells weigh more, if they do not all
 *     weigh the same
 * @param around the factors of users and items that multiply the weights of all cells, exceptions
 *     included, if there are any
 * @param observed the sets whose cells are exceptions
 * @param everything whether every cell is an exception, so that the result is exact
 */
public record Background(
    double weight,
    double share,
    float scoreBound,
    double weightError,
    CellField targets,
    Optional<ItemWeights> items,
    Optional<Separable> around,
    Set<SparseCells> observed,
    boolean everything) {
  /** The factor of a row below which it counts as a row without weight. */
  private static final double NEGLIGIBLE = 1e-20;

  /** Return the reason why fields cannot be split into background and exceptions, if any. */
  public static Optional<String> obstacle(CellField weights, CellField targets, double tolerance) {
    if (tolerance == 0) {
      return Optional.empty();
    }
    boolean around = SeparableWeights.around(weights).isPresent();
    CellField within = SeparableWeights.within(weights);
    boolean items = SeparableWeights.items(within).isPresent();
    if (around || items) {
      ValueRange target = targets.background(1);
      return target.low() == 0 && target.high() == 0
          ? obstacle(items ? SeparableWeights.withoutItems(within) : within, targets, tolerance)
          : Optional.of(
              "the weights of zeros differ by "
                  + (around ? "user and item" : "item")
                  + ", and the targets of zeros by score");
    }
    if (!onlyTopLevelMasks(weights)) {
      return Optional.of("the weights use a part mask inside a function");
    }
    ValueRange range = weights.background(0);
    if (!range.bounded()) {
      return Optional.of("the weights have no bounded background (a host field or function)");
    }
    double spread = relativeError(weights, middle(range), 0);
    if (spread > tolerance) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "the weights of background cells lie between %s and %s, too far apart for a relative"
                  + " error of %s",
              range.low(),
              range.high(),
              tolerance));
    }
    if (!isPlain(targets)) {
      return Optional.of("the targets are not a sum of ratings and scores");
    }
    return Optional.empty();
  }

  /** Split fields that have no {@link #obstacle}. */
  public static Background of(CellField weights, CellField targets, double tolerance) {
    if (tolerance == 0) {
      return new Background(
          0, 1, 0, 0, new Constant(0), Optional.empty(), Optional.empty(), Set.of(), true);
    }
    Optional<Separable> around = SeparableWeights.around(weights);
    CellField within = SeparableWeights.within(weights);
    Optional<ItemWeights> items = SeparableWeights.items(within);
    if (around.isPresent() || items.isPresent()) {
      Background alike =
          of(
              items.isPresent() ? SeparableWeights.withoutItems(within) : within,
              targets,
              tolerance);
      return new Background(
          alike.weight,
          alike.share,
          alike.scoreBound,
          alike.weightError,
          alike.targets,
          items,
          around,
          alike.observed,
          false);
    }
    double unmasked = middle(weights.background(0));
    double share = 1;
    for (CellField factor : factors(weights)) {
      if (factor instanceof PartMask mask) {
        share *= mask.fraction();
      }
    }
    float bound = scoreBound(weights, unmasked, tolerance);
    return new Background(
        unmasked * share,
        share,
        bound,
        relativeError(weights, unmasked, bound),
        withoutObserved(targets),
        Optional.empty(),
        Optional.empty(),
        ObservedSets.in(weights, targets),
        false);
  }

  /** Return the largest score bound at which weights stay within the tolerance. */
  private static float scoreBound(CellField weights, double plain, double tolerance) {
    float high = 1e30f;
    if (relativeError(weights, plain, high) <= tolerance) {
      return Float.POSITIVE_INFINITY;
    }
    float low = 0;
    for (int step = 0; step < 200 && low < high; step++) {
      float middle = high > 16 ? (float) Math.sqrt((low + 1.0) * high) : (low + high) / 2;
      if (middle <= low || middle >= high) {
        break;
      }
      if (relativeError(weights, plain, middle) <= tolerance) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double relativeError(CellField weights, double plain, float bound) {
    if (bound == Float.POSITIVE_INFINITY) {
      return relativeError(weights, plain, 1e30f);
    }
    ValueRange range = weights.background(bound);
    if (range.high() == plain && range.low() == plain) {
      return 0;
    }
    // Relative to the true weight, which may be anything in the range.
    double above = (range.high() - plain) / range.high();
    double below = (plain - range.low()) / range.low();
    return Math.max(above, range.low() > 0 ? below : Double.POSITIVE_INFINITY);
  }

  private static List<CellField> factors(CellField field) {
    return field instanceof Product product ? product.factors() : List.of(field);
  }

  private static boolean onlyTopLevelMasks(CellField weights) {
    return factors(weights).stream()
        .allMatch(factor -> factor instanceof PartMask || !containsMask(factor));
  }

  private static boolean containsMask(CellField field) {
    return field instanceof PartMask
        || field.children().stream().anyMatch(Background::containsMask);
  }

  /** Return the weight of the least relative error within a range: the harmonic mean. */
  private static double middle(ValueRange range) {
    return range.low() == range.high() || range.low() <= 0
        ? range.low()
        : 2 / (1 / range.low() + 1 / range.high());
  }

  private static boolean isPlain(CellField field) {
    if (field instanceof Linear linear) {
      return linear.terms().stream().allMatch(term -> isPlain(term.field()));
    }
    return field instanceof Constant || field instanceof Observed || field instanceof Score;
  }

  /**
   * Return the penalty of every row.
   *
   * @param userExcess the sum of excess weights of each user's exceptions, divided by the user's
   *     factor. Not modified.
   * @param itemExcess the sum of excess weights of each item's exceptions, divided by the item's
   *     factor. Not modified.
   */
  public Penalties penalties(
      Ridge ridge, GridShape shape, double[] userExcess, double[] itemExcess) {
    return ridge.exponent() == 0
        ? Penalties.equal(ridge, shape.users(), shape.items())
        : Penalties.scaled(
            ridge,
            rowSums(Side.USERS, userExcess, shape.items()),
            rowSums(Side.ITEMS, itemExcess, shape.users()));
  }

  /** Return the sum of the weights of each row of a side. */
  private double[] rowSums(Side side, double[] excess, int others) {
    double all = around.isEmpty() ? others : sum(side.other(), others);
    double[] sums = new double[excess.length];
    Arrays.setAll(sums, row -> factor(side, row) * Math.max(0, excess[row] + weight * all));
    return sums;
  }

  /** Return the sum of the factors of a side. */
  private double sum(Side side, int rows) {
    double[] factors = new double[rows];
    Arrays.setAll(factors, row -> factor(side, row));
    return GroupedSum.of(factors);
  }

  /** Return whether background cells weigh differently. */
  public boolean differs() {
    return items.isPresent() || around.isPresent();
  }

  /** Return the factor of a row by which its background cells weigh more; 0 if it is negligible. */
  public double factor(Side side, int row) {
    double factor = 1;
    if (around.isPresent()) {
      factor = side == Side.USERS ? around.get().user(row) : around.get().item(row);
    }
    if (side == Side.ITEMS && items.isPresent()) {
      factor *= items.get().of(row);
    }
    return factor < NEGLIGIBLE ? 0 : factor;
  }

  /** Return the weights to evaluate at exceptions: those without the factors around them. */
  public CellField within(CellField weights) {
    return around.isPresent() ? SeparableWeights.within(weights) : weights;
  }

  /**
   * Return the plan of the corrected path.
   *
   * @param excess the sum of excess weights of each user's exceptions. Not modified.
   */
  public LeastSquaresPlan plan(
      String reason, long exceptions, double[] excess, GridShape shape, long bytes) {
    return new LeastSquaresPlan(
        ComputationPath.CORRECTED,
        share < 1 ? reason + "; held-out cells count by expectation" : reason,
        exceptions,
        shape.cells(),
        scoreBound,
        weightError,
        ignoredWeight(Arrays.stream(excess).sum(), shape),
        bytes);
  }

  /**
   * Bound the share of all weight by which background weights are off. They are at most b / (1 - e)
   * each, and e of that off; the weight of exceptions, which is exact, makes the share smaller.
   */
  private double ignoredWeight(double excess, GridShape shape) {
    double most = weight * shape.cells() / (1 - weightError);
    return weightError == 0 ? 0 : weightError * most / (most + Math.max(0, excess));
  }

  /** Return the constant part of a background cell's target. */
  public double constantTarget() {
    return targets.background(0).low();
  }

  /** Return targets in which every cell counts as not observed. */
  private static CellField withoutObserved(CellField targets) {
    if (targets instanceof Observed observed) {
      return new Constant(observed.outside());
    }
    if (targets instanceof Linear linear) {
      return new Linear(
          linear.terms().stream()
              .map(term -> new Linear.Term(term.coefficient(), withoutObserved(term.field())))
              .toList());
    }
    return targets;
  }
}
