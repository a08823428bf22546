package org.pecf.plugin.wmf;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.pecf.api.memory.SparseCells;

/**
 * A matrix that is zero outside the positives and nowhere negative, and the steps by which L-EnsNMF
 * looks at it: an anchor, weights around the anchor, non-negative factors, and the residual of the
 * factors.
 */
final class SparseResidual {
  private final SparseCells cells;
  private final float[] values;

  /** Take a value for every positive, in the order by user. */
  SparseResidual(SparseCells cells, float[] values) {
    this.cells = cells;
    this.values = values;
  }

  /** Return the value at a position of the by-user order. */
  float at(int position) {
    return values[position];
  }

  /** Return the sum of all values. */
  double total() {
    double sum = 0;
    for (float value : values) {
      sum += value;
    }
    return sum;
  }

  /**
   * Draw a cell in proportion to its value.
   *
   * @return its position, or -1 if all are zero
   */
  int draw(SplittableRandom random) {
    double left = random.nextDouble() * total();
    int last = -1;
    for (int position = 0; position < values.length; position++) {
      if (values[position] > 0) {
        last = position;
        left -= values[position];
        if (left < 0) {
          return position;
        }
      }
    }
    return last;
  }

  /** Return the user of a position. */
  int userOf(int position) {
    int user = 0;
    while (cells.userStart(user + 1) <= position) {
      user++;
    }
    return user;
  }

  /** Return the item of a position. */
  int itemOf(int position) {
    return cells.itemAt(position);
  }

  /** Return the cosines of the rows of all users with that of one. */
  float[] userCosines(int anchor) {
    double[] row = new double[cells.items()];
    for (int k = cells.userStart(anchor); k < cells.userStart(anchor + 1); k++) {
      row[cells.itemAt(k)] = values[k];
    }
    double[] products = new double[cells.users()];
    double[] squares = new double[cells.users()];
    for (int user = 0; user < cells.users(); user++) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        products[user] += values[k] * row[cells.itemAt(k)];
        squares[user] += (double) values[k] * values[k];
      }
    }
    return cosines(products, squares, squares[anchor]);
  }

  /** Return the cosines of the columns of all items with that of one. */
  float[] itemCosines(int anchor) {
    double[] column = new double[cells.users()];
    double[] products = new double[cells.items()];
    double[] squares = new double[cells.items()];
    for (int k = cells.itemStart(anchor); k < cells.itemStart(anchor + 1); k++) {
      int user = cells.userAt(k);
      column[user] = values[cells.lowerBound(user, anchor)];
    }
    for (int user = 0; user < cells.users(); user++) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        products[cells.itemAt(k)] += values[k] * column[user];
        squares[cells.itemAt(k)] += (double) values[k] * values[k];
      }
    }
    return cosines(products, squares, squares[anchor]);
  }

  private static float[] cosines(double[] products, double[] squares, double ofAnchor) {
    float[] cosines = new float[products.length];
    for (int row = 0; row < cosines.length; row++) {
      double length = Math.sqrt(squares[row] * ofAnchor);
      cosines[row] = length > 0 ? (float) (products[row] / length) : 0;
    }
    return cosines;
  }

  /** Return the matrix with every value multiplied by a number of its user and one of its item. */
  SparseResidual times(float[] users, float[] items) {
    float[] products = new float[values.length];
    for (int user = 0; user < cells.users(); user++) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        products[k] = values[k] * users[user] * items[cells.itemAt(k)];
      }
    }
    return new SparseResidual(cells, products);
  }

  /** Return the residual of factors, or zero where they exceed the value. */
  SparseResidual minus(double[][] users, double[][] items) {
    float[] left = new float[values.length];
    for (int user = 0; user < cells.users(); user++) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        double score = 0;
        for (int f = 0; f < users[user].length; f++) {
          score += users[user][f] * items[cells.itemAt(k)][f];
        }
        left[k] = (float) Math.max(0, values[k] - score);
      }
    }
    return new SparseResidual(cells, left);
  }

  /**
   * Improve the users' factors given the items': one factor after the other is set to its best
   * non-negative value given the rest (hierarchical alternating least squares).
   *
   * @param users Modified.
   */
  void improveUsers(double[][] users, double[][] items) {
    double[][] gramian = gramian(items);
    double[] right = new double[gramian.length];
    for (int user = 0; user < users.length; user++) {
      Arrays.fill(right, 0);
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        add(values[k], items[cells.itemAt(k)], right);
      }
      improve(users[user], gramian, right);
    }
  }

  /**
   * Improve the items' factors given the users'.
   *
   * @param items Modified.
   */
  void improveItems(double[][] users, double[][] items) {
    double[][] gramian = gramian(users);
    double[][] rights = new double[items.length][gramian.length];
    for (int user = 0; user < users.length; user++) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        add(values[k], users[user], rights[cells.itemAt(k)]);
      }
    }
    for (int item = 0; item < items.length; item++) {
      improve(items[item], gramian, rights[item]);
    }
  }

  private static void add(double factor, double[] row, double[] sum) {
    for (int f = 0; f < sum.length; f++) {
      sum[f] += factor * row[f];
    }
  }

  private static void improve(double[] row, double[][] gramian, double[] right) {
    for (int f = 0; f < row.length; f++) {
      if (gramian[f][f] > 0) {
        double gradient = right[f];
        for (int g = 0; g < row.length; g++) {
          gradient -= gramian[f][g] * row[g];
        }
        row[f] = Math.max(0, row[f] + gradient / gramian[f][f]);
      }
    }
  }

  private static double[][] gramian(double[][] rows) {
    int rank = rows[0].length;
    double[][] sums = new double[rank][rank];
    for (double[] row : rows) {
      for (int f = 0; f < rank; f++) {
        add(row[f], row, sums[f]);
      }
    }
    return sums;
  }
}
