package org.pecf.plugin.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;

/**
 * The graph whose nodes are users and items and whose edges are the positives of weight above zero.
 *
 * @param users the positives by user
 * @param items the positives by item
 */
record PositiveGraph(PositiveGraph.Adjacency users, PositiveGraph.Adjacency items) {
  /**
   * The positives of the rows of one side, in compressed form: those of a row are at positions
   * {@code starts[row]} to {@code starts[row + 1] - 1}.
   *
   * @param starts one more than there are rows
   * @param neighbours the row of the other side of each positive
   * @param weights the weight of each positive
   * @param edges {@code w_ij / sqrt(s_i s_j)} of each positive, where s is the sum of the weights
   *     of a row
   */
  record Adjacency(int[] starts, int[] neighbours, float[] weights, float[] edges) {
    /** Return the number of rows. */
    int rows() {
      return starts.length - 1;
    }

    /** Return the sum of the weights of a row. */
    double weight(int row) {
      double sum = 0;
      for (int position = starts[row]; position < starts[row + 1]; position++) {
        sum += weights[position];
      }
      return sum;
    }
  }

  /** The rows of one task. */
  private static final int ROWS = 256;

  /**
   * Build the graph.
   *
   * @param weights one per positive, in the order by user. Not modified.
   */
  static PositiveGraph of(SparseCells positives, float[] weights) {
    int[] userStarts = new int[positives.users() + 1];
    int[] itemStarts = new int[positives.items() + 1];
    for (int user = 0; user < positives.users(); user++) {
      for (int p = positives.userStart(user); p < positives.userStart(user + 1); p++) {
        if (weights[p] > 0) {
          userStarts[user + 1]++;
          itemStarts[positives.itemAt(p) + 1]++;
        }
      }
    }
    Adjacency byUser = empty(userStarts);
    Adjacency byItem = empty(itemStarts);
    int[] next = itemStarts.clone();
    int position = 0;
    for (int user = 0; user < positives.users(); user++) {
      for (int p = positives.userStart(user); p < positives.userStart(user + 1); p++) {
        if (weights[p] > 0) {
          int item = positives.itemAt(p);
          byUser.neighbours()[position] = item;
          byUser.weights()[position++] = weights[p];
          byItem.neighbours()[next[item]] = user;
          byItem.weights()[next[item]++] = weights[p];
        }
      }
    }
    normalise(byUser, byItem);
    normalise(byItem, byUser);
    return new PositiveGraph(byUser, byItem);
  }

  /** Turn counts into starts, and allocate what they count. */
  private static Adjacency empty(int[] starts) {
    for (int row = 1; row < starts.length; row++) {
      starts[row] += starts[row - 1];
    }
    int count = starts[starts.length - 1];
    return new Adjacency(starts, new int[count], new float[count], new float[count]);
  }

  private static void normalise(Adjacency rows, Adjacency others) {
    double[] otherWeights = new double[others.rows()];
    for (int other = 0; other < otherWeights.length; other++) {
      otherWeights[other] = others.weight(other);
    }
    for (int row = 0; row < rows.rows(); row++) {
      double weight = rows.weight(row);
      for (int p = rows.starts()[row]; p < rows.starts()[row + 1]; p++) {
        double product = weight * otherWeights[rows.neighbours()[p]];
        rows.edges()[p] = (float) (rows.weights()[p] / Math.sqrt(product));
      }
    }
  }

  /** Return the positives of the rows of a side. */
  Adjacency side(Side side) {
    return side == Side.USERS ? users : items;
  }

  /**
   * Smooth factors: {@code target = 1 / (layers + 1) sum_(l = 0..layers) A^l source}, where A is
   * the symmetric matrix of the edges. Its transpose is itself, so gradients go back the same way.
   *
   * @param source the first factors of its rows are taken. Not modified.
   * @param target its rank is the number of factors taken. Modified.
   * @param scratch two models of the rank of the target. Modified.
   * @param given the users whose source factors are not zero; null for all
   * @param wanted the users whose target factors are to be complete; null for all
   */
  void smooth(
      FactorModel source,
      FactorModel target,
      FactorModel[] scratch,
      int layers,
      boolean @Nullable [] given,
      boolean @Nullable [] wanted,
      Parallelism parallelism) {
    float share = 1f / (layers + 1);
    float[][] rows = new float[parallelism.threads()][target.rank()];
    for (Side side : Side.values()) {
      Rows from = new Rows(source.side(side));
      Rows to = new Rows(target.side(side));
      forRows(
          side,
          parallelism,
          (row, worker) -> {
            from.read(row, rows[worker]);
            for (int k = 0; k < target.rank(); k++) {
              rows[worker][k] *= share;
            }
            to.write(row, rows[worker]);
          });
    }
    FactorModel before = source;
    for (int layer = 0; layer < layers; layer++) {
      FactorModel after = scratch[layer % 2];
      step(
          before,
          after,
          target,
          share,
          layer == 0 ? given : null,
          layer == layers - 1 ? wanted : null,
          parallelism);
      before = after;
    }
  }

  /** Set {@code after = A before}, and add a share of it to the target. */
  private void step(
      FactorModel before,
      FactorModel after,
      FactorModel target,
      float share,
      boolean @Nullable [] given,
      boolean @Nullable [] wanted,
      Parallelism parallelism) {
    int rank = target.rank();
    float[][] sums = new float[parallelism.threads()][rank];
    float[][] rows = new float[parallelism.threads()][rank];
    for (Side side : Side.values()) {
      Adjacency graph = side(side);
      Rows from = new Rows(before.side(side.other()));
      Rows to = new Rows(after.side(side));
      Rows total = new Rows(target.side(side));
      forRows(
          side,
          parallelism,
          (row, worker) -> {
            if (side == Side.USERS && wanted != null && !wanted[row]) {
              return;
            }
            float[] sum = sums[worker];
            float[] other = rows[worker];
            boolean[] present = side == Side.ITEMS ? given : null;
            gather(graph, graph.edges(), row, present, from, sum, other);
            to.write(row, sum);
            total.read(row, other);
            for (int k = 0; k < rank; k++) {
              other[k] += share * sum[k];
            }
            total.write(row, other);
          });
    }
  }

  /**
   * Sum the neighbours of a row: {@code sum = sum_j factor_ij from_j}.
   *
   * @param factors one per positive of the side. Not modified.
   * @param present the neighbours that count; null for all
   * @param sum receives the sum. Modified.
   * @param scratch of the same length. Modified.
   */
  static void gather(
      Adjacency graph,
      float[] factors,
      int row,
      boolean @Nullable [] present,
      Rows from,
      float[] sum,
      float[] scratch) {
    Arrays.fill(sum, 0);
    for (int p = graph.starts()[row]; p < graph.starts()[row + 1]; p++) {
      if (present != null && !present[graph.neighbours()[p]]) {
        continue;
      }
      from.read(graph.neighbours()[p], scratch);
      float factor = factors[p];
      for (int k = 0; k < sum.length; k++) {
        sum[k] += factor * scratch[k];
      }
    }
  }

  /** Do a task for every row of a side, in strips. */
  void forRows(Side side, Parallelism parallelism, Parallelism.Task task) {
    int count = side(side).rows();
    parallelism.forEach(
        (count + ROWS - 1) / ROWS,
        (strip, worker) -> {
          int end = Math.min(count, (strip + 1) * ROWS);
          for (int row = strip * ROWS; row < end; row++) {
            task.run(row, worker);
          }
        });
  }
}
