package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Arrays;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Observed;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.leastsquares.Penalties;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/**
 * Visit every cell: the normal equations of a block of rows are one matrix product {@code A = W K},
 * where row j of K holds the upper triangle of v_j v_j'.
 */
final class DensePath implements LeastSquares {
  /** How many rows of the other side are multiplied at once: a panel of K that stays in cache. */
  private static final int PANEL = 256;

  private final Setting setting;
  private final int rank;
  private final int triangle;
  private final TileSource weights;
  private final TileSource weightedTargets;
  private final SparseTargets sparseTargets;
  private final Penalties penalties;
  private final double totalSquares;
  private final LeastSquaresPlan plan;

  /** Prepare a problem; keep the weights if they fit in memory. */
  DensePath(Setting setting, LeastSquaresRequest request, String reason) {
    this.setting = setting;
    this.rank = request.rank();
    this.triangle = rank * (rank + 1) / 2;
    GridShape shape = setting.shape();
    long working = leastBytes(shape, rank, setting.parallelism().threads());
    long whole = shape.cells() * Float.BYTES;
    long spare = setting.allocator().getHeadroom() - working;
    boolean sparse = request.targets() instanceof Observed observed && observed.outside() == 0;
    boolean keepWeights = spare >= whole;
    boolean keepTargets = !sparse && spare >= 2 * whole;
    TileSource.Kept keptWeights =
        keepWeights ? new TileSource.Kept(setting.allocator(), shape) : null;
    TileSource.Kept keptTargets = null;
    SparseTargets products = null;
    try {
      keptTargets = keepTargets ? new TileSource.Kept(setting.allocator(), shape) : null;
      products =
          sparse
              ? SparseTargets.of(setting, request.weights(), (Observed) request.targets())
              : null;
      double squares = sparse ? products.totalSquares() : 0;
      if (keepWeights || !sparse) {
        squares += evaluateOnce(request, keptWeights, keptTargets, sparse);
      }
      this.totalSquares = squares;
      this.sparseTargets = products;
      this.weights =
          keepWeights
              ? keptWeights
              : new TileSource.Evaluated(
                  FieldProgram.of(request.weights()).recall(setting.store()), "dense.weights");
      this.weightedTargets =
          sparse
              ? null
              : keepTargets
                  ? keptTargets
                  : new TileSource.Evaluated(
                      FieldProgram.of(CellField.product(request.weights(), request.targets()))
                          .recall(setting.store()),
                      "dense.targets");
      this.penalties =
          request.ridge().exponent() == 0
              ? Penalties.equal(request.ridge(), shape.users(), shape.items())
              : Penalties.scaled(request.ridge(), rowSums(Side.USERS), rowSums(Side.ITEMS));
    } catch (RuntimeException | Error e) {
      closeAll(keptWeights, keptTargets, products);
      throw e;
    }
    this.plan =
        new LeastSquaresPlan(
            ComputationPath.DENSE,
            reason + (keepWeights ? "" : "; the weights do not fit in memory, evaluated anew"),
            shape.cells(),
            shape.cells(),
            0,
            0,
            (keepWeights ? whole : 0) + (keepTargets ? whole : 0) + working);
  }

  /** Return the memory the path cannot do without: every worker's equations and panels. */
  static long leastBytes(GridShape shape, int rank, int threads) {
    long triangle = (long) rank * (rank + 1) / 2;
    long rows = Math.max(rowsOfTile(shape.users()), rowsOfTile(shape.items()));
    long scores = 2L * TileEvaluator.USERS * TileEvaluator.ITEMS;
    long floats = (rows + PANEL) * triangle + 2 * rows * (PANEL + rank) + (long) rank * rank;
    return threads * Float.BYTES * (floats + scores);
  }

  /** Write kept fields, and return {@code sum w t^2} unless targets are sparse. */
  private double evaluateOnce(
      LeastSquaresRequest request,
      TileSource.Kept keptWeights,
      TileSource.Kept keptTargets,
      boolean sparse) {
    try (FieldProgram program =
        sparse
            ? FieldProgram.of(request.weights())
            : FieldProgram.of(request.weights(), request.targets())) {
      return evaluateOnce(program.join(setting.store()), keptWeights, keptTargets, sparse);
    }
  }

  private double evaluateOnce(
      FieldProgram program,
      TileSource.Kept keptWeights,
      TileSource.Kept keptTargets,
      boolean sparse) {
    GridShape shape = setting.shape();
    int blocks = (shape.users() + TileEvaluator.USERS - 1) / TileEvaluator.USERS;
    double[] squares = new double[blocks];
    setting
        .parallelism()
        .forEach(
            blocks,
            (block, number) -> {
              Worker worker = setting.workers()[number];
              float[] w = worker.heap("dense.w", TileEvaluator.ITEMS);
              float[] t = worker.heap("dense.t", TileEvaluator.ITEMS);
              int first = block * TileEvaluator.USERS;
              int users = Math.min(TileEvaluator.USERS, shape.users() - first);
              TileEvaluator.visit(
                  program,
                  worker,
                  program.run(worker),
                  first,
                  users,
                  0,
                  shape.items(),
                  (run, item) -> {
                    long at = (long) run.user() * shape.items() + item;
                    program.evaluate(0, run, w);
                    if (keptWeights != null) {
                      keptWeights.values().write(at, w, 0, run.count());
                    }
                    if (sparse) {
                      return;
                    }
                    program.evaluate(1, run, t);
                    for (int p = 0; p < run.count(); p++) {
                      squares[block] += (double) w[p] * t[p] * t[p];
                      t[p] *= w[p];
                    }
                    if (keptTargets != null) {
                      keptTargets.values().write(at, t, 0, run.count());
                    }
                  });
            });
    double total = 0;
    for (double square : squares) {
      total += square;
    }
    return total;
  }

  /** Sum the weights of every row of a side. */
  private double[] rowSums(Side side) {
    boolean users = side == Side.USERS;
    int rows = users ? setting.shape().users() : setting.shape().items();
    int others = users ? setting.shape().items() : setting.shape().users();
    double[] sums = new double[rows];
    int tile = TileEvaluator.USERS;
    setting
        .parallelism()
        .forEach(
            (rows + tile - 1) / tile,
            (block, number) -> {
              int first = block * tile;
              int count = Math.min(tile, rows - first);
              for (int other = 0; other < others; other += tile) {
                int width = Math.min(tile, others - other);
                int height = users ? count : width;
                int items = users ? width : count;
                long address =
                    weights.tile(
                        setting.workers()[number],
                        users ? first : other,
                        height,
                        users ? other : first,
                        items);
                int stride = weights.stride(items);
                for (int u = 0; u < height; u++) {
                  for (int j = 0; j < items; j++) {
                    sums[first + (users ? u : j)] +=
                        NativeFloats.at(address, (long) u * stride + j);
                  }
                }
              }
            });
    return sums;
  }

  @Override
  public LeastSquaresPlan plan() {
    return plan;
  }

  @Override
  public double solve(Side side, FactorModel factors) {
    FloatMatrix solved = factors.side(side);
    FloatMatrix fixed = factors.side(side.other());
    float[] other = new float[Math.multiplyExact(fixed.rows(), rank)];
    fixed.readRows(0, fixed.rows(), other);
    int tile = rowsOfTile(solved.rows());
    int tiles = (solved.rows() + tile - 1) / tile;
    double[] explained = new double[tiles];
    setting
        .parallelism()
        .forEach(
            tiles,
            (index, number) -> {
              int first = index * tile;
              int rows = Math.min(tile, solved.rows() - first);
              Worker worker = setting.workers()[number];
              assemble(worker, side, first, rows, fixed, other);
              explained[index] = solveRows(worker, side, first, rows, other, solved);
            });
    double objective = totalSquares + penalties.penalty(side.other(), factors);
    for (double part : explained) {
      objective -= part;
    }
    return objective;
  }

  /** Return how many rows are solved at once: a function of the grid alone, never of threads. */
  private static int rowsOfTile(int rows) {
    int eighth = (rows + 7) / 8;
    return Math.max(32, Math.min(1024, (eighth + 31) / 32 * 32));
  }

  private NativeFloats equations(Worker worker, int rows) {
    return worker.offHeap("dense.equations", (long) rows * triangle);
  }

  private NativeFloats rights(Worker worker, int rows) {
    return worker.offHeap("dense.rights", (long) rows * rank);
  }

  /** Compute the normal equations of a tile of rows. */
  private void assemble(
      Worker worker, Side side, int first, int rows, FloatMatrix fixed, float[] other) {
    NativeFloats equations = equations(worker, rows);
    NativeFloats rights = rights(worker, rows);
    NativeFloats panel = worker.offHeap("dense.panel", (long) PANEL * triangle);
    float[] line = worker.heap("dense.line", triangle);
    for (int start = 0; start < fixed.rows(); start += PANEL) {
      setting.context().run().cancellation().check();
      int width = Math.min(PANEL, fixed.rows() - start);
      for (int j = 0; j < width; j++) {
        outerProduct(other, (start + j) * rank, rank, line);
        panel.write((long) j * triangle, line, 0, triangle);
      }
      float beta = start == 0 ? 0 : 1;
      Block block = new Block(worker, side, first, rows, start, width);
      multiply(block, weights, panel.address(0), triangle, beta, equations);
      if (weightedTargets != null) {
        multiply(block, weightedTargets, fixed.rowAddress(start), rank, beta, rights);
      }
    }
  }

  /** A tile of rows of one side against a panel of rows of the other. */
  private record Block(Worker worker, Side side, int first, int rows, int start, int width) {}

  /** Compute {@code target = field panel + beta target} for a block of the field. */
  private void multiply(
      Block block, TileSource field, long panel, int columns, float beta, NativeFloats target) {
    boolean users = block.side == Side.USERS;
    int items = users ? block.width : block.rows;
    long tile =
        field.tile(
            block.worker,
            users ? block.first : block.start,
            users ? block.rows : block.width,
            users ? block.start : block.first,
            items);
    block
        .worker
        .algebra()
        .multiply(
            !users,
            false,
            block.rows,
            columns,
            block.width,
            1,
            tile,
            field.stride(items),
            panel,
            columns,
            beta,
            target.address(0),
            columns);
  }

  private double solveRows(
      Worker worker, Side side, int first, int rows, float[] other, FloatMatrix solved) {
    NativeFloats equations = equations(worker, rows);
    NativeFloats rights = rights(worker, rows);
    float[] right = worker.heap("dense.right", rank);
    double[] lambda = penalties.of(side);
    double explained = 0;
    for (int r = 0; r < rows; r++) {
      int row = first + r;
      if (lambda[row] == 0) {
        // A row without any weight.
        NativeFloats.clear(solved.rowAddress(row), rank);
        continue;
      }
      if (sparseTargets == null) {
        NativeFloats.copy(rights.address((long) r * rank), solved.rowAddress(row), rank);
      } else {
        Arrays.fill(right, 0, rank, 0);
        sparseTargets.addTo(side, row, other, rank, right);
        solved.writeRows(row, 1, right);
      }
      long triangleAddress = equations.address((long) r * triangle);
      explained +=
          RowSolver.solve(
              worker,
              side,
              row,
              rank,
              matrix -> spread(triangleAddress, rank, lambda[row] / 2, matrix),
              solved.rowAddress(row));
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
  private static void spread(long triangle, int rank, double penalty, long square) {
    long from = triangle;
    for (int a = 0; a < rank; a++) {
      long to = square + ((long) a * rank + a) * Float.BYTES;
      NativeFloats.copy(from, to, rank - a);
      NativeFloats.put(to, 0, (float) (NativeFloats.at(to, 0) + penalty));
      from += (long) (rank - a) * Float.BYTES;
    }
  }

  @Override
  public void close() {
    closeAll(weights, weightedTargets, sparseTargets);
  }

  private static void closeAll(TileSource weights, TileSource targets, SparseTargets sparse) {
    if (weights != null) {
      weights.close();
    }
    if (targets != null) {
      targets.close();
    }
    if (sparse != null) {
      sparse.close();
    }
  }
}
