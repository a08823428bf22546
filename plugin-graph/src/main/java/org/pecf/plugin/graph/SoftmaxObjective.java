package org.pecf.plugin.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.support.NegativeCells;
import org.pecf.plugin.graph.PositiveGraph.Adjacency;

/**
 * The mean of {@code -ln p_ij} over positives, each as much as it weighs, and its gradient, with
 * {@code p_ij = exp(c_ij / t) / sum_k exp(c_ik / t)} over all items k that can be negatives, and
 * c_ij the cosine of the {@linkplain PositiveGraph#smooth smoothed} factors of user i and item j.
 *
 * <p>No cell is sampled. With the users of a block as columns, the exponentials are E = exp(Y Xᵀ /
 * t) and the gradients Yᵀ E and E X, up to factors of the users: three products of matrices.
 */
final class SoftmaxObjective implements AutoCloseable {
  /** The users whose scores are in memory at once. */
  private static final int BLOCK = 256;

  /** The items of one task. */
  private static final int STRIP = 256;

  private final PositiveGraph graph;
  private final NegativeCells negatives;
  private final int layers;
  private final float inverseTemperature;
  private final int rank;
  private final Parallelism parallelism;
  private final MatrixKernels kernels;

  private final List<AutoCloseable> owned = new ArrayList<>();
  private final FactorModel factors;
  private final FactorModel slopes;
  private final FactorModel[] scratch;
  private final FloatMatrix itemsAcross;
  private final FloatMatrix usersAcross;
  private final FloatMatrix scaledUsers;
  private final FloatMatrix userSlopes;
  private final FloatMatrix itemSlopes;
  private final FloatMatrix exponentials;
  private final float[][] inverseLengths;

  SoftmaxObjective(
      PositiveGraph graph,
      NegativeCells negatives,
      SoftmaxProvider.Options options,
      RunContext run,
      MatrixKernels kernels) {
    this.graph = graph;
    this.negatives = negatives;
    this.layers = options.layers();
    this.inverseTemperature = (float) (1 / options.temperature());
    this.rank = options.rank();
    this.parallelism = run.parallelism();
    this.kernels = kernels;
    GridShape shape = new GridShape(graph.users().rows(), graph.items().rows());
    int block = block(shape, options);
    this.inverseLengths = new float[][] {new float[shape.users()], new float[shape.items()]};
    BufferAllocator allocator = run.allocator();
    try {
      this.factors = own(FactorModel.allocate(allocator, shape, rank));
      this.slopes = own(FactorModel.allocate(allocator, shape, rank));
      this.scratch =
          new FactorModel[] {
            own(FactorModel.allocate(allocator, shape, rank)),
            own(FactorModel.allocate(allocator, shape, rank))
          };
      this.itemsAcross = own(FloatMatrix.allocate(allocator, rank, shape.items()));
      this.usersAcross = own(FloatMatrix.allocate(allocator, rank, block));
      this.scaledUsers = own(FloatMatrix.allocate(allocator, block, rank));
      this.userSlopes = own(FloatMatrix.allocate(allocator, rank, block));
      this.itemSlopes = own(FloatMatrix.allocate(allocator, shape.items(), rank));
      this.exponentials = own(FloatMatrix.allocate(allocator, shape.items(), block));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private <T extends AutoCloseable> T own(T memory) {
    owned.add(memory);
    return memory;
  }

  private static int block(GridShape shape, SoftmaxProvider.Options options) {
    return Math.min(BLOCK, Math.min(options.batch(), shape.users()));
  }

  /** Return the bytes that an objective takes. */
  static long bytes(GridShape shape, SoftmaxProvider.Options options) {
    int rank = options.rank();
    int block = block(shape, options);
    return 4 * (FloatMatrix.bytes(shape.users(), rank) + FloatMatrix.bytes(shape.items(), rank))
        + 2 * FloatMatrix.bytes(shape.items(), rank)
        + 3 * FloatMatrix.bytes(block, rank)
        + FloatMatrix.bytes(shape.items(), block);
  }

  /**
   * Compute the smoothed factors of length one, whose products are the cosines. Users without
   * positives have none: their factors are zero.
   *
   * @param embeddings the first factors of its rows are taken. Not modified.
   * @return the factors; borrowed until the next call of any method
   */
  FactorModel factors(FactorModel embeddings) {
    return factors(embeddings, null);
  }

  /**
   * Compute the factors of all items and of some users.
   *
   * @param wanted those users; null for all
   */
  private FactorModel factors(FactorModel embeddings, boolean @Nullable [] wanted) {
    graph.smooth(embeddings, factors, scratch, layers, null, wanted, parallelism);
    float[][] rows = new float[parallelism.threads()][rank];
    for (Side side : Side.values()) {
      Rows all = new Rows(factors.side(side));
      float[] inverse = inverseLengths[side.ordinal()];
      int[] starts = graph.users().starts();
      graph.forRows(
          side,
          parallelism,
          (row, worker) -> {
            float[] values = rows[worker];
            all.read(row, values);
            boolean empty = side == Side.USERS && starts[row] == starts[row + 1];
            double square = dot(values, values);
            inverse[row] = empty || square == 0 ? 0 : (float) (1 / Math.sqrt(square));
            for (int k = 0; k < rank; k++) {
              values[k] *= inverse[row];
            }
            all.write(row, values);
          });
    }
    return factors;
  }

  private static double dot(float[] left, float[] right) {
    double sum = 0;
    for (int k = 0; k < left.length; k++) {
      sum += left[k] * (double) right[k];
    }
    return sum;
  }

  /**
   * Compute the mean of {@code -ln p} over the positives of some users, and its gradient.
   *
   * @param embeddings the first factors of its rows are taken. Not modified.
   * @param users some users with positives, each once. Not modified.
   * @param gradient receives the gradient of the factors that were taken. Modified.
   */
  double evaluate(FactorModel embeddings, int[] users, FactorModel gradient) {
    double[] weights = new double[users.length];
    double total = 0;
    boolean[] taken = new boolean[graph.users().rows()];
    for (int k = 0; k < users.length; k++) {
      weights[k] = graph.users().weight(users[k]);
      total += weights[k];
      taken[users[k]] = true;
    }
    factors(embeddings, taken);
    turn();
    for (Side side : Side.values()) {
      slopes.side(side).buffer().setZero(0, slopes.side(side).buffer().capacity());
    }
    double sum = 0;
    for (int first = 0; first < users.length; first += exponentials.columns()) {
      sum += block(users, weights, first);
    }
    sum += pulls(users, taken);
    flatten((float) (inverseTemperature / total));
    graph.smooth(slopes, gradient, scratch, layers, taken, null, parallelism);
    return sum / total;
  }

  /** Lay the factors of the items out by factor. */
  private void turn() {
    int items = itemsAcross.columns();
    Rows from = new Rows(factors.items());
    Rows to = new Rows(itemsAcross);
    parallelism.forEach(
        (items + STRIP - 1) / STRIP,
        (strip, worker) -> {
          int first = strip * STRIP;
          int count = Math.min(STRIP, items - first);
          float[] row = new float[rank];
          float[][] across = new float[rank][count];
          for (int item = 0; item < count; item++) {
            from.read(first + item, row);
            for (int k = 0; k < rank; k++) {
              across[k][item] = row[k];
            }
          }
          for (int k = 0; k < rank; k++) {
            to.write(k, first, across[k], count);
          }
        });
  }

  /**
   * Add the slopes that come from the sums of exponentials, for a block of users.
   *
   * @return the sum of {@code w_i ln sum_k exp(c_ik / t)}
   */
  private double block(int[] users, double[] weights, int first) {
    int columns = exponentials.columns();
    int count = Math.min(columns, users.length - first);
    float[][] rows = new float[columns][rank];
    Rows userRows = new Rows(factors.users());
    for (int c = 0; c < count; c++) {
      userRows.read(users[first + c], rows[c]);
    }
    float[] across = new float[columns];
    for (int k = 0; k < rank; k++) {
      for (int c = 0; c < columns; c++) {
        across[c] = rows[c][k];
      }
      usersAcross.writeRows(k, 1, across);
    }
    kernels.multiply(factors.items(), usersAcross, exponentials);
    double[] sums = exponentiate(Arrays.copyOfRange(users, first, first + count));
    double loss = 0;
    float[] shares = new float[columns];
    Rows scaled = new Rows(scaledUsers);
    for (int c = 0; c < columns; c++) {
      if (c < count && sums[c] > 0) {
        double weight = weights[first + c];
        loss += weight * (Math.log(sums[c]) + inverseTemperature);
        shares[c] = (float) (weight / sums[c]);
      }
      for (int k = 0; k < rank; k++) {
        rows[c][k] *= shares[c];
      }
      scaled.write(c, rows[c]);
    }
    kernels.multiply(itemsAcross, exponentials, userSlopes);
    kernels.multiply(exponentials, scaledUsers, itemSlopes);
    Rows slopesOfUsers = new Rows(slopes.users());
    for (int k = 0; k < rank; k++) {
      userSlopes.readRow(k, across);
      for (int c = 0; c < count; c++) {
        rows[c][k] = shares[c] * across[c];
      }
    }
    for (int c = 0; c < count; c++) {
      slopesOfUsers.write(users[first + c], rows[c]);
    }
    addItemSlopes();
    return loss;
  }

  /**
   * Turn cosines into {@code exp((c - 1) / t)}, or zero where a cell is no negative, and sum them
   * by user.
   */
  private double[] exponentiate(int[] users) {
    int columns = exponentials.columns();
    int items = exponentials.rows();
    int strips = (items + STRIP - 1) / STRIP;
    double[][] partial = new double[strips][columns];
    Rows all = new Rows(exponentials);
    Exponential exponential = Exponential.ofCosines(inverseTemperature);
    parallelism.forEach(
        strips,
        (strip, worker) -> {
          int first = strip * STRIP;
          int end = Math.min(items, first + STRIP);
          int[][] next = excludedFrom(first, users);
          float[] row = new float[columns];
          for (int item = first; item < end; item++) {
            all.read(item, row);
            exponential.replace(row);
            bar(users, item, next, row);
            for (int c = 0; c < columns; c++) {
              partial[strip][c] += row[c];
            }
            all.write(item, row);
          }
        });
    for (int strip = 1; strip < strips; strip++) {
      for (int c = 0; c < columns; c++) {
        partial[0][c] += partial[strip][c];
      }
    }
    return partial[0];
  }

  /** Return where the cells of no weight of some users begin, from an item on. */
  private int[][] excludedFrom(int item, int[] users) {
    return negatives.excluded().stream()
        .map(cells -> Arrays.stream(users).map(user -> cells.lowerBound(user, item)).toArray())
        .toArray(int[][]::new);
  }

  /**
   * Set the cells of an item that can be no negatives to zero.
   *
   * @param next where the cells of no weight go on; moves on if they name this item. Modified.
   */
  private void bar(int[] users, int item, int[][] next, float[] row) {
    if (negatives.candidates().isPresent()) {
      PartMask mask = negatives.candidates().get();
      for (int c = 0; c < users.length; c++) {
        if (!mask.contains(users[c], item)) {
          row[c] = 0;
        }
      }
    }
    for (int set = 0; set < next.length; set++) {
      SparseCells cells = negatives.excluded().get(set);
      for (int c = 0; c < users.length; c++) {
        int position = next[set][c];
        if (position < cells.userStart(users[c] + 1) && cells.itemAt(position) == item) {
          row[c] = 0;
          next[set][c]++;
        }
      }
    }
  }

  private void addItemSlopes() {
    Rows from = new Rows(itemSlopes);
    Rows to = new Rows(slopes.items());
    float[][] sums = new float[parallelism.threads()][rank];
    float[][] rows = new float[parallelism.threads()][rank];
    graph.forRows(
        Side.ITEMS,
        parallelism,
        (item, worker) -> {
          to.read(item, sums[worker]);
          from.read(item, rows[worker]);
          for (int k = 0; k < rank; k++) {
            sums[worker][k] += rows[worker][k];
          }
          to.write(item, sums[worker]);
        });
  }

  /**
   * Take off the slopes that come from the positives themselves.
   *
   * @return the sum of {@code -w_ij c_ij / t}
   */
  private double pulls(int[] users, boolean[] taken) {
    double[] losses = new double[users.length];
    Rows userRows = new Rows(factors.users());
    Rows itemRows = new Rows(factors.items());
    Rows userTotals = new Rows(slopes.users());
    Rows itemTotals = new Rows(slopes.items());
    int threads = parallelism.threads();
    float[][] sums = new float[threads][rank];
    float[][] rows = new float[threads][rank];
    parallelism.forEach(
        users.length,
        (index, worker) -> {
          int user = users[index];
          Adjacency positives = graph.users();
          PositiveGraph.gather(
              positives, positives.weights(), user, null, itemRows, sums[worker], rows[worker]);
          userRows.read(user, rows[worker]);
          losses[index] = -inverseTemperature * dot(sums[worker], rows[worker]);
          subtract(userTotals, user, sums[worker], rows[worker]);
        });
    graph.forRows(
        Side.ITEMS,
        parallelism,
        (item, worker) -> {
          float[] sum = sums[worker];
          float[] row = rows[worker];
          Arrays.fill(sum, 0);
          Adjacency positives = graph.items();
          for (int p = positives.starts()[item]; p < positives.starts()[item + 1]; p++) {
            if (taken[positives.neighbours()[p]]) {
              userRows.read(positives.neighbours()[p], row);
              for (int k = 0; k < rank; k++) {
                sum[k] += positives.weights()[p] * row[k];
              }
            }
          }
          subtract(itemTotals, item, sum, row);
        });
    double loss = 0;
    for (double part : losses) {
      loss += part;
    }
    return loss;
  }

  private void subtract(Rows totals, int row, float[] sum, float[] scratchRow) {
    totals.read(row, scratchRow);
    for (int k = 0; k < rank; k++) {
      scratchRow[k] -= sum[k];
    }
    totals.write(row, scratchRow);
  }

  /** Turn slopes of vectors of length one into slopes of the vectors before, times a factor. */
  private void flatten(float factor) {
    float[][] rows = new float[parallelism.threads()][rank];
    float[][] units = new float[parallelism.threads()][rank];
    for (Side side : Side.values()) {
      Rows all = new Rows(slopes.side(side));
      Rows directions = new Rows(factors.side(side));
      float[] inverse = inverseLengths[side.ordinal()];
      graph.forRows(
          side,
          parallelism,
          (row, worker) -> {
            float[] slope = rows[worker];
            float[] unit = units[worker];
            all.read(row, slope);
            directions.read(row, unit);
            float along = (float) dot(slope, unit);
            float scale = factor * inverse[row];
            for (int k = 0; k < rank; k++) {
              slope[k] = scale * (slope[k] - along * unit[k]);
            }
            all.write(row, slope);
          });
    }
  }

  @Override
  public void close() {
    owned.forEach(
        memory -> {
          if (memory instanceof FloatMatrix matrix) {
            matrix.close();
          } else if (memory instanceof FactorModel model) {
            model.close();
          }
        });
  }
}
