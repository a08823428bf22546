package org.pecf.plugin.backend.cpu.leastsquares;

import org.jspecify.annotations.Nullable;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Observed;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.field.Window;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/**
 * The weights and weighted targets of every cell: each kept if it fits in memory, else evaluated
 * whenever a tile is needed. Targets that are zero outside a set of cells are kept as such.
 */
final class DenseFields implements AutoCloseable {
  private final CpuContext context;
  private final FieldTiles weights;
  private final @Nullable FieldTiles weightedTargets;
  private final @Nullable SparseTargets sparseTargets;
  private final double totalSquares;
  private final long keptBytes;

  /**
   * Evaluate the fields of a problem.
   *
   * @param spareBytes the memory that kept fields may take
   */
  DenseFields(CpuContext context, LeastSquaresRequest request, long spareBytes) {
    this.context = context;
    GridShape shape = context.shape();
    long whole = shape.cells() * Float.BYTES;
    boolean sparse = request.targets() instanceof Observed observed && observed.outside() == 0;
    boolean keepWeights = spareBytes >= whole;
    boolean keepTargets = !sparse && spareBytes >= 2 * whole;
    FieldTiles.Kept keptWeights =
        keepWeights ? new FieldTiles.Kept(context.allocator(), shape) : null;
    FieldTiles.Kept keptTargets = null;
    SparseTargets products = null;
    try {
      keptTargets = keepTargets ? new FieldTiles.Kept(context.allocator(), shape) : null;
      double squares = 0;
      if (sparse) {
        products = SparseTargets.of(context, request.weights(), (Observed) request.targets());
        squares = products.totalSquares();
      }
      if (keepWeights || !sparse) {
        squares += evaluate(request, keptWeights, keptTargets, sparse);
      }
      this.totalSquares = squares;
    } catch (RuntimeException | Error e) {
      close(keptWeights, keptTargets, products);
      throw e;
    }
    this.sparseTargets = products;
    this.weights = keptWeights != null ? keptWeights : evaluated(request.weights());
    this.weightedTargets =
        sparse
            ? null
            : keepTargets
                ? keptTargets
                : evaluated(CellField.product(request.weights(), request.targets()));
    this.keptBytes = (keepWeights ? whole : 0) + (keepTargets ? whole : 0);
  }

  private FieldTiles evaluated(CellField field) {
    return new FieldTiles.Evaluated(FieldProgram.of(field).recall(context.store()));
  }

  /** Write the kept fields, and return {@code sum w t^2} unless targets are sparse. */
  private double evaluate(
      LeastSquaresRequest request,
      FieldTiles.@Nullable Kept keptWeights,
      FieldTiles.@Nullable Kept keptTargets,
      boolean sparse) {
    try (FieldProgram program =
        sparse
            ? FieldProgram.of(request.weights())
            : FieldProgram.of(request.weights(), request.targets())) {
      program.join(context.store());
      GridShape shape = context.shape();
      double[] squares = new double[TileEvaluator.blocks(shape.users())];
      context
          .parallelism()
          .forEach(
              squares.length,
              (block, number) -> {
                float[] w = new float[TileEvaluator.ITEMS];
                float[] t = new float[TileEvaluator.ITEMS];
                TileEvaluator.visit(
                    program,
                    context.workers()[number],
                    TileEvaluator.block(block, shape.users(), shape.items()),
                    (run, item) -> {
                      program.evaluate(0, run, w);
                      if (keptWeights != null) {
                        keptWeights.write(run.user(), item, w, run.count());
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
                        keptTargets.write(run.user(), item, t, run.count());
                      }
                    });
              });
      double total = 0;
      for (double square : squares) {
        total += square;
      }
      return total;
    }
  }

  /** Return the weights w. */
  FieldTiles weights() {
    return weights;
  }

  /** Return the products w t; null if targets are sparse. */
  @Nullable FieldTiles weightedTargets() {
    return weightedTargets;
  }

  /** Return the targets that are not zero; null unless targets are sparse. */
  @Nullable SparseTargets sparseTargets() {
    return sparseTargets;
  }

  /** Return {@code sum w t^2}. */
  double totalSquares() {
    return totalSquares;
  }

  /** Return the bytes that kept fields take. */
  long keptBytes() {
    return keptBytes;
  }

  /** Return whether the weights are kept. */
  boolean keepsWeights() {
    return weights instanceof FieldTiles.Kept;
  }

  /** Return the sum of the weights of every row of a side. */
  double[] rowSums(Side side) {
    boolean users = side == Side.USERS;
    int rows = users ? context.shape().users() : context.shape().items();
    int others = users ? context.shape().items() : context.shape().users();
    double[] sums = new double[rows];
    int tile = TileEvaluator.USERS;
    context
        .parallelism()
        .forEach(
            TileEvaluator.blocks(rows),
            (block, number) -> {
              int first = block * tile;
              int count = Math.min(tile, rows - first);
              for (int other = 0; other < others; other += tile) {
                int width = Math.min(tile, others - other);
                Window window =
                    users
                        ? new Window(first, count, other, width)
                        : new Window(other, width, first, count);
                MatrixSlice values = weights.tile(context.workers()[number], window);
                FloatSlice floats = values.floats();
                for (int u = 0; u < values.rows(); u++) {
                  for (int j = 0; j < values.columns(); j++) {
                    sums[first + (users ? u : j)] += floats.get((long) u * values.stride() + j);
                  }
                }
              }
            });
    return sums;
  }

  @Override
  public void close() {
    close(weights, weightedTargets, sparseTargets);
  }

  private static void close(
      @Nullable FieldTiles weights, @Nullable FieldTiles targets, @Nullable SparseTargets sparse) {
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
