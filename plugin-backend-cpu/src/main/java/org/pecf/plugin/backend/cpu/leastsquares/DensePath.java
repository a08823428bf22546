package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Arrays;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.ScratchFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.Window;
import org.pecf.backend.leastsquares.Penalties;
import org.pecf.backend.leastsquares.RowSolver;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/**
 * Least squares over every cell: the normal equations of a block of rows are one matrix product
 * {@code A = W K}, where row j of K holds the upper triangle of v_j v_j'.
 */
final class DensePath implements LeastSquares {
  /** The rows of the other side that are multiplied at once: a panel of K that stays in cache. */
  private static final int PANEL = 256;

  private final CpuContext context;
  private final int rank;
  private final int triangle;
  private final DenseFields fields;
  private final Penalties penalties;
  private final LeastSquaresPlan plan;

  /** Prepare a problem; keep the weights if they fit in memory. */
  DensePath(CpuContext context, LeastSquaresRequest request, String reason) {
    this.context = context;
    this.rank = request.rank();
    this.triangle = rank * (rank + 1) / 2;
    GridShape shape = context.shape();
    long working = leastBytes(shape, rank, context.parallelism().threads());
    this.fields = new DenseFields(context, request, context.allocator().getHeadroom() - working);
    try {
      this.penalties =
          request.ridge().exponent() == 0
              ? Penalties.equal(request.ridge(), shape.users(), shape.items())
              : Penalties.scaled(
                  request.ridge(), fields.rowSums(Side.USERS), fields.rowSums(Side.ITEMS));
    } catch (RuntimeException | Error e) {
      fields.close();
      throw e;
    }
    this.plan =
        LeastSquaresPlan.dense(
            fields.keepsWeights()
                ? reason
                : reason + "; the weights do not fit in memory and are evaluated in every sweep",
            shape.cells(),
            fields.keptBytes() + working);
  }

  /** Return the least memory that the path needs: every worker's equations and panels. */
  static long leastBytes(GridShape shape, int rank, int threads) {
    long triangle = (long) rank * (rank + 1) / 2;
    long rows = Math.max(rowsOfTile(shape.users()), rowsOfTile(shape.items()));
    long scores = 2L * TileEvaluator.USERS * TileEvaluator.ITEMS;
    long floats = (rows + PANEL) * triangle + 2 * rows * (PANEL + rank) + (long) rank * rank;
    return threads * Float.BYTES * (floats + scores);
  }

  /** Return the rows that are solved at once: a function of the grid alone, never of threads. */
  private static int rowsOfTile(int rows) {
    int eighth = (rows + 7) / 8;
    return Math.max(32, Math.min(1024, (eighth + 31) / 32 * 32));
  }

  @Override
  public LeastSquaresPlan plan() {
    return plan;
  }

  @Override
  public double unitPenalty(Side side) {
    return penalties.unit(side);
  }

  @Override
  public double solve(Side side, FactorModel factors) {
    FloatMatrix solved = penalties.solved(side, factors, rank);
    FloatMatrix fixed = factors.side(side.other());
    float[] other = new float[Math.multiplyExact(fixed.rows(), rank)];
    fixed.readRows(0, fixed.rows(), other);
    int tile = rowsOfTile(solved.rows());
    int tiles = (solved.rows() + tile - 1) / tile;
    double[] explained = new double[tiles];
    context
        .parallelism()
        .forEach(
            tiles,
            (index, number) -> {
              int first = index * tile;
              int rows = Math.min(tile, solved.rows() - first);
              Worker worker = context.workers()[number];
              Equations equations =
                  worker.kernel(Scratch.class, Scratch::new).equations(rows, triangle, rank);
              assemble(worker, side, first, fixed, other, equations);
              explained[index] = solveRows(worker, side, first, other, solved, equations);
            });
    double objective = fields.totalSquares() + penalties.penalty(side.other(), factors);
    for (double part : explained) {
      objective -= part;
    }
    return objective;
  }

  /**
   * The normal equations of a tile of rows.
   *
   * @param matrices the upper triangle of each row's matrix
   * @param rights the right-hand side of each row
   */
  private record Equations(MatrixSlice matrices, MatrixSlice rights) {}

  /** The memory in which one worker solves tiles. */
  private static final class Scratch {
    private final ScratchFloats matrices;
    private final ScratchFloats rights;
    private final ScratchFloats panel;

    Scratch(Worker worker) {
      matrices = worker.scratch();
      rights = worker.scratch();
      panel = worker.scratch();
    }

    Equations equations(int rows, int triangle, int rank) {
      return new Equations(
          MatrixSlice.of(matrices.slice((long) rows * triangle), rows, triangle),
          MatrixSlice.of(rights.slice((long) rows * rank), rows, rank));
    }
  }

  /** Compute the normal equations of a tile of rows. */
  private void assemble(
      Worker worker, Side side, int first, FloatMatrix fixed, float[] other, Equations equations) {
    OffHeapFloats panel =
        worker.kernel(Scratch.class, Scratch::new).panel.floats((long) PANEL * triangle);
    float[] line = new float[triangle];
    int rows = equations.matrices.rows();
    for (int start = 0; start < fixed.rows(); start += PANEL) {
      context.session().run().cancellation().check();
      int width = Math.min(PANEL, fixed.rows() - start);
      for (int j = 0; j < width; j++) {
        outerProduct(other, (start + j) * rank, rank, line);
        panel.write((long) j * triangle, line, 0, triangle);
      }
      MatrixSlice products =
          MatrixSlice.of(panel.slice(0, (long) width * triangle), width, triangle);
      float beta = start == 0 ? 0 : 1;
      boolean users = side == Side.USERS;
      Window window =
          users ? new Window(first, rows, start, width) : new Window(start, width, first, rows);
      MatrixSlice weights = fields.weights().tile(worker, window);
      worker
          .algebra()
          .multiply(1, users ? weights : weights.transpose(), products, beta, equations.matrices);
      if (fields.weightedTargets() != null) {
        MatrixSlice targets = fields.weightedTargets().tile(worker, window);
        worker
            .algebra()
            .multiply(
                1,
                users ? targets : targets.transpose(),
                MatrixSlice.rows(fixed, start, width),
                beta,
                equations.rights);
      }
    }
  }

  private double solveRows(
      Worker worker, Side side, int first, float[] other, FloatMatrix solved, Equations equations) {
    RowSolver solver = RowSolver.of(worker);
    float[] right = new float[rank];
    double[] lambda = penalties.of(side);
    double explained = 0;
    for (int r = 0; r < equations.rights.rows(); r++) {
      int row = first + r;
      FloatSlice vector = FloatSlice.row(solved, row);
      if (lambda[row] == 0) {
        // A row without any weight.
        vector.clear();
        continue;
      }
      if (fields.sparseTargets() == null) {
        equations.rights.row(r).copyTo(vector);
      } else {
        Arrays.fill(right, 0);
        fields.sparseTargets().addTo(side, row, other, rank, right);
        solved.writeRows(row, 1, right);
      }
      FloatSlice packed = equations.matrices.row(r);
      explained +=
          solver.solve(side, row, matrix -> unpack(packed, rank, lambda[row] / 2, matrix), vector);
    }
    return explained;
  }

  /** Write the upper triangle of v v', row after row. */
  private static void outerProduct(float[] factors, int from, int rank, float[] line) {
    int at = 0;
    for (int a = 0; a < rank; a++) {
      float left = factors[from + a];
      int count = rank - a;
      int source = from + a;
      for (int b = 0; b < count; b++) {
        line[at + b] = left * factors[source + b];
      }
      at += count;
    }
  }

  /** Unpack an upper triangle into a square and add the penalty to its diagonal. */
  private static void unpack(FloatSlice triangle, int rank, double penalty, FloatSlice square) {
    long from = 0;
    for (int a = 0; a < rank; a++) {
      long to = (long) a * rank + a;
      triangle.copyTo(from, square, to, rank - a);
      square.set(to, (float) (square.get(to) + penalty));
      from += rank - a;
    }
  }

  @Override
  public void close() {
    fields.close();
  }
}
