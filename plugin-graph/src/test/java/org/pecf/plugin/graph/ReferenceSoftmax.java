package org.pecf.plugin.graph;

import java.util.function.BiPredicate;

/**
 * The loss of {@link SoftmaxObjective} in double precision, cell by cell and by dense matrices.
 *
 * @param weights the weight of every positive, users x items; 0 elsewhere
 * @param candidates whether a cell can be a negative
 * @param layers the steps over the graph
 * @param temperature the temperature
 */
record ReferenceSoftmax(
    double[][] weights, BiPredicate<Integer, Integer> candidates, int layers, double temperature) {
  /**
   * Return the mean of {@code -ln p} over the positives of some users.
   *
   * @param nodes the factors of all users, then of all items. Not modified.
   */
  double loss(double[][] nodes, int[] users) {
    double[][] factors = unit(smoothed(nodes));
    double sum = 0;
    double total = 0;
    for (int user : users) {
      double all = 0;
      for (int item = 0; item < items(); item++) {
        if (candidates.test(user, item)) {
          all += Math.exp(dot(factors[user], factors[users() + item]) / temperature);
        }
      }
      for (int item = 0; item < items(); item++) {
        double own = Math.exp(dot(factors[user], factors[users() + item]) / temperature);
        sum -= weights[user][item] * Math.log(own / all);
        total += weights[user][item];
      }
    }
    return sum / total;
  }

  /** Return the cosine of a cell. */
  double cosine(double[][] nodes, int user, int item) {
    double[][] factors = unit(smoothed(nodes));
    return dot(factors[user], factors[users() + item]);
  }

  private int users() {
    return weights.length;
  }

  private int items() {
    return weights[0].length;
  }

  private double[][] smoothed(double[][] nodes) {
    double[][] edges = edges();
    double[][] sum = scaled(nodes, 1.0 / (layers + 1));
    double[][] power = nodes;
    for (int layer = 0; layer < layers; layer++) {
      power = product(edges, power);
      double[][] share = scaled(power, 1.0 / (layers + 1));
      for (int node = 0; node < nodes.length; node++) {
        for (int k = 0; k < nodes[0].length; k++) {
          sum[node][k] += share[node][k];
        }
      }
    }
    return sum;
  }

  private double[][] edges() {
    int nodes = users() + items();
    double[] sums = new double[nodes];
    for (int user = 0; user < users(); user++) {
      for (int item = 0; item < items(); item++) {
        sums[user] += weights[user][item];
        sums[users() + item] += weights[user][item];
      }
    }
    double[][] edges = new double[nodes][nodes];
    for (int user = 0; user < users(); user++) {
      for (int item = 0; item < items(); item++) {
        if (weights[user][item] > 0) {
          int other = users() + item;
          edges[user][other] = weights[user][item] / Math.sqrt(sums[user] * sums[other]);
          edges[other][user] = edges[user][other];
        }
      }
    }
    return edges;
  }

  private static double[][] product(double[][] left, double[][] right) {
    double[][] product = new double[left.length][right[0].length];
    for (int row = 0; row < left.length; row++) {
      for (int inner = 0; inner < right.length; inner++) {
        for (int k = 0; k < right[0].length; k++) {
          product[row][k] += left[row][inner] * right[inner][k];
        }
      }
    }
    return product;
  }

  private static double[][] scaled(double[][] matrix, double factor) {
    double[][] scaled = new double[matrix.length][matrix[0].length];
    for (int row = 0; row < matrix.length; row++) {
      for (int k = 0; k < matrix[0].length; k++) {
        scaled[row][k] = factor * matrix[row][k];
      }
    }
    return scaled;
  }

  private static double[][] unit(double[][] matrix) {
    double[][] unit = new double[matrix.length][];
    for (int row = 0; row < matrix.length; row++) {
      double length = Math.sqrt(dot(matrix[row], matrix[row]));
      unit[row] = scaled(new double[][] {matrix[row]}, 1 / length)[0];
    }
    return unit;
  }

  private static double dot(double[] left, double[] right) {
    double sum = 0;
    for (int k = 0; k < left.length; k++) {
      sum += left[k] * right[k];
    }
    return sum;
  }
}
