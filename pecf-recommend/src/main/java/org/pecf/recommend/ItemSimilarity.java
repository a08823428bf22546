package org.pecf.recommend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.engine.ensemble.Ensemble;

/**
 * The similarity of items to a model.
 *
 * <p>Two items are similar if their factors point the same way: the cosine of the concatenated
 * factors of all members, each member's multiplied by its weight and by the root mean square of its
 * users' factors, so that a member counts by how much it adds to scores. Factors that are one for
 * all users are left out: they say how liked an item is, not what it is like. An ensemble of
 * item-to-item models has no such factors; there the similarity is the score that an item gets from
 * the other one alone.
 *
 * <p>Safe for use by many threads at once.
 */
final class ItemSimilarity {
  private static final int BLOCK_FLOATS = 1 << 14;

  /**
   * The part of a member.
   *
   * @param number which member
   * @param items its items' factors
   * @param factors how many of them count
   * @param scale the number that they are multiplied by
   */
  private record Part(int number, FloatMatrix items, int factors, double scale) {}

  /** An item-to-item model and its weight. */
  private record Product(SparseProductModel model, double weight) {}

  private final List<Part> parts = new ArrayList<>();
  private final List<Product> products = new ArrayList<>();
  private final boolean neighbourhoods;
  private final int items;
  private final double[] lengths;

  /**
   * Read the factors once.
   *
   * @param ensemble borrowed
   */
  ItemSimilarity(Ensemble ensemble) {
    this.items = ensemble.shape().items();
    double[] weights = ensemble.weights();
    for (boolean neighbours : new boolean[] {false, true}) {
      for (int k = 0; k < weights.length && (!neighbours || parts.size() <= k); k++) {
        if (ensemble.members().get(k).model() instanceof FactorModel model
            && model.rules().users() instanceof RowRule.Positives == neighbours) {
          int factors = model.rank() - constants(model);
          if (factors > 0 && weights[k] != 0) {
            double scale = neighbours ? weights[k] : weights[k] * size(model.users(), factors);
            parts.add(new Part(k, model.items(), factors, scale));
          }
        }
      }
      if (!parts.isEmpty()) {
        break;
      }
    }
    this.neighbourhoods =
        parts.isEmpty() || model(ensemble, 0).rules().users() instanceof RowRule.Positives;
    if (neighbourhoods) {
      for (int k = 0; k < weights.length; k++) {
        if (weights[k] != 0
            && ensemble.members().get(k).model() instanceof SparseProductModel product
            && product.inner() == Side.ITEMS) {
          products.add(new Product(product, weights[k]));
        }
      }
    }
    if (parts.isEmpty() && products.isEmpty()) {
      throw PecfException.badOption(
          "The model knows how liked items are, not which are alike, so it has no similar items."
              + " Train one with a filter such as wmf.");
    }
    this.lengths = neighbourhoods ? new double[0] : lengths();
  }

  private FactorModel model(Ensemble ensemble, int part) {
    return (FactorModel) ensemble.members().get(parts.get(part).number()).model();
  }

  /** Return how many of a model's last factors are one for all users. */
  private static int constants(FactorModel model) {
    RowRule rule = model.rules().users();
    if (rule instanceof RowRule.Positives positives) {
      return positives.ones();
    }
    return rule instanceof RowRule.Pairwise ? 1 : rule instanceof RowRule.Same ? model.rank() : 0;
  }

  /** Return the root mean square of factors. */
  private static double size(FloatMatrix matrix, int factors) {
    double[] squares = new double[1];
    forEachRow(
        matrix,
        (row, values, at) -> {
          for (int k = 0; k < factors; k++) {
            squares[0] += (double) values[at + k] * values[at + k];
          }
        });
    return Math.sqrt(squares[0] / ((double) matrix.rows() * factors));
  }

  private double[] lengths() {
    double[] squares = new double[items];
    for (Part part : parts) {
      forEachRow(
          part.items(),
          (row, values, at) -> {
            for (int k = 0; k < part.factors(); k++) {
              double factor = part.scale() * values[at + k];
              squares[row] += factor * factor;
            }
          });
    }
    return Arrays.stream(squares).map(Math::sqrt).toArray();
  }

  /** A receiver of rows. */
  private interface RowReader {
    void read(int row, float[] values, int at);
  }

  private static void forEachRow(FloatMatrix matrix, RowReader reader) {
    int most = Math.max(1, Math.min(matrix.rows(), BLOCK_FLOATS / matrix.columns()));
    float[] block = new float[most * matrix.columns()];
    for (int first = 0; first < matrix.rows(); first += most) {
      int count = Math.min(most, matrix.rows() - first);
      matrix.readRows(first, count, block);
      for (int row = 0; row < count; row++) {
        reader.read(first + row, block, row * matrix.columns());
      }
    }
  }

  /** Return the similarity of every item to one of them, which itself is not a number. */
  float[] to(int item) {
    float[] similarities;
    if (neighbourhoods) {
      double[] sums = new double[items];
      for (Part part : parts) {
        for (int other = 0; other < items; other++) {
          sums[other] += part.scale() * part.items().get(other, item);
        }
      }
      float[] scores = new float[items];
      for (Product product : products) {
        product.model().scoreRow(new int[] {item}, new float[] {1}, scores);
        for (int other = 0; other < items; other++) {
          sums[other] += product.weight() * (scores[other] - product.model().intercept());
        }
      }
      similarities = new float[items];
      for (int other = 0; other < items; other++) {
        similarities[other] = (float) sums[other];
      }
    } else {
      List<float[]> rows = new ArrayList<>();
      for (Part part : parts) {
        float[] row = new float[part.items().columns()];
        part.items().readRow(item, row);
        rows.add(row);
      }
      similarities = cosines(rows);
    }
    similarities[item] = Float.NaN;
    return similarities;
  }

  /**
   * Return the similarity of every item to a new one.
   *
   * @param factors the factors of the new item under each member. Not modified.
   */
  float[] toNew(List<float[]> factors) {
    return cosines(parts.stream().map(part -> factors.get(part.number())).toList());
  }

  private float[] cosines(List<float[]> rows) {
    double[] products = new double[items];
    double square = 0;
    for (int p = 0; p < parts.size(); p++) {
      Part part = parts.get(p);
      float[] row = rows.get(p);
      double both = part.scale() * part.scale();
      for (int k = 0; k < part.factors(); k++) {
        square += both * row[k] * row[k];
      }
      forEachRow(
          part.items(),
          (other, values, at) -> {
            double sum = 0;
            for (int k = 0; k < part.factors(); k++) {
              sum += (double) row[k] * values[at + k];
            }
            products[other] += both * sum;
          });
    }
    float[] cosines = new float[items];
    double length = Math.sqrt(square);
    for (int other = 0; other < items; other++) {
      double both = length * lengths[other];
      cosines[other] = both > 0 ? (float) (products[other] / both) : 0;
    }
    return cosines;
  }
}
