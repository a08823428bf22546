package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.field.ScoreCombination;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.plugin.backend.cpu.algebra.FloatSlice;
import org.pecf.plugin.backend.cpu.algebra.MatrixSlice;
import org.pecf.plugin.backend.cpu.algebra.OffHeapFloats;
import org.pecf.plugin.backend.cpu.algebra.ScratchFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;

/** The background's part of the equations, shared by all rows of a corrected half-sweep. */
final class SharedEquations implements AutoCloseable {
  /** The rows of the other side that are transformed at once. */
  private static final int STRIP = 512;

  /** The multiple to which whitened rows are padded, for faster products. */
  private static final int PADDING = 4;

  private final CpuContext context;
  private final int rank;
  private final int width;
  private final OffHeapFloats matrixFloats;

  /** {@code b V'V}, with the penalty on its diagonal if it is the same for all rows. */
  private final FloatSlice matrix;

  /** The part of the right-hand side due to constant targets: {@code b t sum_j v_j}. */
  private final float[] pull;

  private boolean constantTarget;

  /** The maps from the factors of the models in the targets to right-hand sides. */
  private final List<Mapping> mappings = new ArrayList<>();

  /** U of {@code M = U'U}, or null. */
  private OffHeapFloats triangle;

  /** {@code U'^-1 v_j} for every row of the other side, padded with zeros, or null. */
  private OffHeapFloats whitened;

  private int whitenedCount;

  /**
   * The contribution of one model in the targets, {@code b c F'V}.
   *
   * @param scale {@code b c}
   * @param other the model's factors of the other side, F
   * @param factors the model's factors of the solved side
   * @param map the product
   */
  private record Mapping(float scale, FloatMatrix other, FloatMatrix factors, OffHeapFloats map) {}

  private SharedEquations(CpuContext context, int rank) {
    this.context = context;
    this.rank = rank;
    this.width = (rank + PADDING - 1) / PADDING * PADDING;
    this.matrixFloats = OffHeapFloats.allocate(context.allocator(), PageAlignment.floats(rank));
    this.matrix = PageAlignment.atStart(matrixFloats, rank);
    this.pull = new float[rank];
  }

  /**
   * Compute the shared equations.
   *
   * @param scores the scores in the background's targets
   * @param penalty the penalty to add to the diagonal
   * @param whiten whether rows may be solved in whitened coordinates
   */
  static SharedEquations of(
      CpuContext context,
      Background background,
      List<ScoreCombination> scores,
      Side side,
      FloatMatrix fixed,
      double penalty,
      boolean whiten) {
    SharedEquations shared = new SharedEquations(context, fixed.columns());
    try {
      shared.prepare(background, fixed, penalty);
      shared.map((float) background.weight(), scores, side, fixed);
      if (whiten) {
        shared.whiten(fixed);
      }
      return shared;
    } catch (RuntimeException | Error e) {
      shared.close();
      throw e;
    }
  }

  private void prepare(Background background, FloatMatrix fixed, double penalty) {
    FactorProducts.of(context.workers()[0])
        .cross(fixed, fixed, (float) background.weight(), matrix);
    for (int k = 0; k < rank; k++) {
      long at = (long) k * rank + k;
      matrix.set(at, (float) (matrix.get(at) + penalty));
    }
    constantTarget = background.constantTarget() != 0;
    if (constantTarget) {
      double[] sums = FactorProducts.columnSums(fixed);
      for (int k = 0; k < rank; k++) {
        pull[k] = (float) (background.weight() * background.constantTarget() * sums[k]);
      }
    }
  }

  private void map(float b, List<ScoreCombination> scores, Side side, FloatMatrix fixed) {
    for (ScoreCombination combination : scores) {
      for (int k = 0; k < combination.size(); k++) {
        FactorModel model = combination.model(k);
        mappings.add(
            new Mapping(
                b * combination.coefficient(k),
                model.side(side.other()),
                model.side(side),
                OffHeapFloats.allocate(context.allocator(), (long) model.rank() * rank)));
      }
    }
    context
        .parallelism()
        .forEach(
            mappings.size(),
            (index, number) -> {
              Mapping mapping = mappings.get(index);
              FactorProducts.of(context.workers()[number])
                  .cross(mapping.other, fixed, mapping.scale, slice(mapping));
            });
  }

  private FloatSlice slice(Mapping mapping) {
    return mapping.map.slice(0, (long) mapping.factors.columns() * rank);
  }

  /** Factorise M and transform the other side by it, unless M is not positive definite. */
  private void whiten(FloatMatrix fixed) {
    OffHeapFloats factor = OffHeapFloats.allocate(context.allocator(), (long) rank * rank);
    FloatSlice square = factor.slice(0, (long) rank * rank);
    matrix.copyTo(square);
    if (!context.workers()[0].algebra().factorise(rank, square)) {
      factor.close();
      return;
    }
    triangle = factor;
    whitenedCount = fixed.rows();
    whitened = OffHeapFloats.allocate(context.allocator(), (long) whitenedCount * width);
    context
        .parallelism()
        .forEach(
            (fixed.rows() + STRIP - 1) / STRIP,
            (strip, number) -> {
              int first = strip * STRIP;
              int rows = Math.min(STRIP, fixed.rows() - first);
              whiten(context.workers()[number], fixed, first, rows);
            });
  }

  /** The memory of one worker's strip of rows. */
  private static final class Scratch {
    private final ScratchFloats strip;

    Scratch(Worker worker) {
      strip = worker.scratch();
    }
  }

  private void whiten(Worker worker, FloatMatrix fixed, int first, int rows) {
    FloatSlice strip =
        worker
            .kernel(Scratch.class, Scratch::new)
            .strip
            .slice((long) STRIP * rank)
            .slice(0, (long) rows * rank);
    FloatSlice.rows(fixed, first, rows).copyTo(strip);
    whiten(worker, MatrixSlice.of(strip, rows, rank));
    FloatSlice padded = whitened.slice((long) first * width, (long) rows * width);
    padded.clear();
    for (int row = 0; row < rows; row++) {
      strip.copyTo((long) row * rank, padded, (long) row * width, rank);
    }
  }

  /** Return the background's matrix by rows, of which the upper triangle is valid. */
  FloatSlice matrix() {
    return matrix;
  }

  /** Return whether rows can be solved in whitened coordinates. */
  boolean whitens() {
    return triangle != null;
  }

  /** Return whether the background has a right-hand side. */
  boolean pulls() {
    return constantTarget || !mappings.isEmpty();
  }

  /** Return the floats that a whitened row takes. */
  int width() {
    return width;
  }

  /** Return {@code U'^-1 v_j} of all rows of the other side. */
  FloatSlice whitenedRows() {
    return whitened.slice(0, (long) whitenedCount * width);
  }

  /**
   * Replace rows v by {@code U'^-1 v}.
   *
   * @param rows Modified.
   */
  void whiten(Worker worker, MatrixSlice rows) {
    worker.algebra().substitute(true, triangle.slice(0, (long) rank * rank), rows);
  }

  /**
   * Replace rows z by {@code U^-1 z}.
   *
   * @param rows Modified.
   */
  void unwhiten(Worker worker, MatrixSlice rows) {
    worker.algebra().substitute(false, triangle.slice(0, (long) rank * rank), rows);
  }

  /**
   * Compute the background's right-hand sides of consecutive rows.
   *
   * @param rights receives one row each. Modified.
   */
  void rights(Worker worker, int first, MatrixSlice rights) {
    FloatSlice floats = rights.floats();
    floats.clear();
    for (int r = 0; constantTarget && r < rights.rows(); r++) {
      for (int k = 0; k < rank; k++) {
        floats.set((long) r * rank + k, pull[k]);
      }
    }
    for (Mapping mapping : mappings) {
      int inner = mapping.factors.columns();
      worker
          .algebra()
          .multiply(
              1,
              MatrixSlice.rows(mapping.factors, first, rights.rows()),
              MatrixSlice.of(slice(mapping), inner, rank),
              1,
              rights);
    }
  }

  @Override
  public void close() {
    matrixFloats.close();
    mappings.forEach(mapping -> mapping.map.close());
    if (triangle != null) {
      triangle.close();
    }
    if (whitened != null) {
      whitened.close();
    }
  }
}
