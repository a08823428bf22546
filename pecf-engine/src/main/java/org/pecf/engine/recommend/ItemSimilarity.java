package org.pecf.engine.recommend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.ensemble.Ensemble;

/**
 * The similarity of items: how often users have both, beside how often chance would have it.
 *
 * <p>A user of n items speaks for each pair of them with the weight {@code w = n^-a}; {@code c_jk}
 * is the sum over the users of both items. If users chose by popularity alone it would be {@code
 * e_jk = n_j n_k sum w n^2 / N^2}, for n_j users of item j and N positives. A part of that is taken
 * off, and the rest divided by {@code sqrt((c_jj + s) (c_kk + s))}, so that a few common users do
 * not say too much. Where common users say little the model decides: {@code s / 5} times the cosine
 * of the items' factors is added before the division. What liked items speak for, which has to
 * predict rather than to be read, keeps more of chance and counts active users for less.
 *
 * <p>The factors are the concatenated ones of all members, each member's multiplied by its weight
 * and by the root mean square of its users' factors, so that a member counts by how much it adds to
 * scores. Factors that are one for all users are left out: they say how liked an item is, not what
 * it is like. Members that relate items to items, and sparse products, have none.
 *
 * <p>Safe for use by many threads at once.
 */
final class ItemSimilarity {
  private static final int BLOCK_FLOATS = 1 << 14;

  /** The cosine's share of s. */
  private static final double COSINE = 0.2;

  /**
   * The part of a member.
   *
   * @param number which member
   * @param items its items' factors
   * @param factors how many of them count
   * @param scale the number that they are multiplied by
   */
  private record Part(int number, FloatMatrix items, int factors, double scale) {}

  private final SparseCells training;
  private final List<Part> parts = new ArrayList<>();
  private final int items;
  private final double[] lengths;
  private final CommonUsers ofPairs;
  private final CommonUsers ofLists;

  /**
   * The weights of common users.
   *
   * @param ofUsers the weights w of users, by their number of items
   * @param chance the part of {@code sum w n^2 / N^2} that is taken off, per user of the one item
   *     and the other
   * @param own the sums c_jj
   * @param shrinkage s
   */
  private record CommonUsers(double[] ofUsers, double chance, double[] own, double shrinkage) {
    /**
     * Weigh the users of a training.
     *
     * @param power a
     * @param chance the part of what chance would have that is taken off
     * @param shrinkage s, in users of average weight
     */
    static CommonUsers of(SparseCells training, double power, double chance, double shrinkage) {
      double[] ofUsers =
          IntStream.rangeClosed(0, training.items())
              .mapToDouble(count -> count > 0 ? Math.pow(count, -power) : 0)
              .toArray();
      double total = 0;
      double pairs = 0;
      int present = 0;
      for (int user = 0; user < training.users(); user++) {
        int count = training.userCount(user);
        total += ofUsers[count];
        pairs += ofUsers[count] * count * count;
        present += count > 0 ? 1 : 0;
      }
      double positives = Math.max(1, training.count());
      double[] own = new double[training.items()];
      for (int item = 0; item < own.length; item++) {
        for (int k = training.itemStart(item); k < training.itemStart(item + 1); k++) {
          own[item] += ofUsers[training.userCount(training.userAt(k))];
        }
      }
      return new CommonUsers(
          ofUsers,
          chance * pairs / positives / positives,
          own,
          shrinkage * total / Math.max(1, present));
    }

    /** Return {@code sqrt(c_jj + s)}. */
    double length(int item) {
      return Math.sqrt(own[item] + shrinkage);
    }
  }

  /**
   * Read the positives and the factors once.
   *
   * @param ensemble borrowed
   * @param training the positives that it was trained on; borrowed
   */
  ItemSimilarity(Ensemble ensemble, SparseCells training) {
    this.training = training;
    this.items = ensemble.shape().items();
    double[] weights = ensemble.weights();
    for (int k = 0; k < weights.length; k++) {
      if (weights[k] != 0
          && ensemble.members().get(k).model() instanceof FactorModel model
          && !(model.rules().users() instanceof RowRule.Positives)) {
        int factors = model.rank() - constants(model);
        if (factors > 0) {
          parts.add(new Part(k, model.items(), factors, weights[k] * size(model.users(), factors)));
        }
      }
    }
    this.lengths = lengths();
    this.ofPairs = CommonUsers.of(training, 0.7, 0.75, 40);
    this.ofLists = CommonUsers.of(training, 1, 0.5, 20);
  }

  /** Return how many of a model's last factors are one for all users. */
  private static int constants(FactorModel model) {
    RowRule rule = model.rules().users();
    return rule instanceof RowRule.Pairwise || rule instanceof RowRule.Softmax
        ? 1
        : rule instanceof RowRule.Same ? model.rank() : 0;
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
    int[] users = new int[training.itemCount(item)];
    Arrays.setAll(users, k -> training.userAt(training.itemStart(item) + k));
    List<float[]> rows = new ArrayList<>();
    for (Part part : parts) {
      float[] row = new float[part.items().columns()];
      part.items().readRow(item, row);
      rows.add(row);
    }
    float[] similarities = similarities(users, rows);
    similarities[item] = Float.NaN;
    return similarities;
  }

  /**
   * Return the similarity of every item to a new one.
   *
   * @param users the users of the new item, none twice. Not modified.
   * @param factors the factors of the new item under each member; asked for if there are any
   */
  float[] toNew(int[] users, Supplier<List<float[]>> factors) {
    List<float[]> rows = parts.isEmpty() ? List.of() : factors.get();
    return similarities(users, parts.stream().map(part -> rows.get(part.number())).toList());
  }

  private float[] similarities(int[] users, List<float[]> rows) {
    double[] sums = cosines(rows);
    double shrinkage = ofPairs.shrinkage;
    double expected = ofPairs.chance * users.length;
    for (int other = 0; other < items; other++) {
      sums[other] = COSINE * shrinkage * sums[other] - expected * training.itemCount(other);
    }
    double length = shrinkage;
    for (int user : users) {
      double weight = ofPairs.ofUsers[training.userCount(user)];
      length += weight;
      for (int k = training.userStart(user); k < training.userStart(user + 1); k++) {
        sums[training.itemAt(k)] += weight;
      }
    }
    float[] similarities = new float[items];
    for (int other = 0; other < items; other++) {
      double both = Math.sqrt(length) * ofPairs.length(other);
      similarities[other] = both > 0 ? (float) (sums[other] / both) : 0;
    }
    return similarities;
  }

  /**
   * Return how much liked items speak for each item: the sum of {@code (c_jk - e_jk / 2) /
   * sqrt((c_jj + s) (c_kk + s))} over the liked items j other than k. Half of what chance would
   * have stays in it, for what is popular is liked by newcomers too.
   *
   * @param liked none twice. Not modified.
   */
  float[] support(int[] liked) {
    double[] ofUsers = new double[training.users()];
    double expected = 0;
    for (int item : liked) {
      double weight = 1 / ofLists.length(item);
      expected += weight * ofLists.chance * training.itemCount(item);
      for (int k = training.itemStart(item); k < training.itemStart(item + 1); k++) {
        ofUsers[training.userAt(k)] += weight;
      }
    }
    double[] sums = new double[items];
    for (int user = 0; user < ofUsers.length; user++) {
      if (ofUsers[user] > 0) {
        double weight = ofUsers[user] * ofLists.ofUsers[training.userCount(user)];
        for (int k = training.userStart(user); k < training.userStart(user + 1); k++) {
          sums[training.itemAt(k)] += weight;
        }
      }
    }
    for (int item : liked) {
      double users = training.itemCount(item);
      sums[item] -= (ofLists.own[item] - ofLists.chance * users * users) / ofLists.length(item);
    }
    float[] support = new float[items];
    for (int item = 0; item < items; item++) {
      double sum = sums[item] - expected * training.itemCount(item);
      support[item] = ofLists.own[item] > 0 ? (float) (sum / ofLists.length(item)) : 0;
    }
    return support;
  }

  private double[] cosines(List<float[]> rows) {
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
    double length = Math.sqrt(square);
    for (int other = 0; other < items; other++) {
      double both = length * lengths[other];
      products[other] = both > 0 ? products[other] / both : 0;
    }
    return products;
  }
}
