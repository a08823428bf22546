package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.List;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.ScoreSlot;

/** Hold what all rows of a corrected half-sweep share: the background's part of their equations. */
final class SharedEquations implements AutoCloseable {
  /** How many rows of the other side are transformed at once. */
  private static final int STRIP = 512;

  /** Whitened rows are padded to a multiple of this, which products with them like. */
  private static final int PADDING = 4;

  private final int rank;
  private final int width;

  /** {@code b V'V}, with the penalty on its diagonal if all rows have the same. */
  private final NativeFloats matrix;

  /** The part of the right-hand side that constant targets make: {@code b t sum_j v_j}. */
  private final float[] pull;

  private boolean constantTarget;

  /** For each model in the targets, {@code b c F'V}: what maps its factors to right-hand sides. */
  private final NativeFloats[] maps;

  private final FloatMatrix[] mapped;

  /** U of {@code M = U'U}, or null. */
  private NativeFloats triangle;

  /** {@code U'^-1 v_j} for every row of the other side, and zeros up to the width, or null. */
  private NativeFloats whitened;

  private SharedEquations(Setting setting, int rank, int models) {
    this.rank = rank;
    this.width = (rank + PADDING - 1) / PADDING * PADDING;
    this.matrix = NativeFloats.allocate(setting.allocator(), Pages.floats(rank));
    this.pull = new float[rank];
    this.maps = new NativeFloats[models];
    this.mapped = new FloatMatrix[models];
  }

  /**
   * Compute what rows share.
   *
   * @param lowRank the scores in the background's targets
   * @param penalty what to add to the diagonal
   * @param whiten whether rows may be solved in whitened coordinates
   */
  static SharedEquations of(
      Setting setting,
      Background background,
      List<ScoreSlot> lowRank,
      Side side,
      FloatMatrix fixed,
      double penalty,
      boolean whiten) {
    int models = lowRank.stream().mapToInt(slot -> slot.models().size()).sum();
    SharedEquations shared = new SharedEquations(setting, fixed.columns(), models);
    try {
      shared.prepare(setting, background, lowRank, side, fixed, penalty);
      if (whiten) {
        shared.whiten(setting, fixed);
      }
      return shared;
    } catch (RuntimeException | Error e) {
      shared.close();
      throw e;
    }
  }

  private void prepare(
      Setting setting,
      Background background,
      List<ScoreSlot> lowRank,
      Side side,
      FloatMatrix fixed,
      double penalty) {
    Worker worker = setting.workers()[0];
    float b = (float) background.weight();
    Products.cross(worker, fixed, fixed, b, matrix());
    for (int k = 0; k < rank; k++) {
      long at = (long) k * rank + k;
      NativeFloats.put(matrix(), at, (float) (NativeFloats.at(matrix(), at) + penalty));
    }
    constantTarget = background.constantTarget() != 0;
    if (constantTarget) {
      double[] sums = Products.columnSums(fixed);
      for (int k = 0; k < rank; k++) {
        pull[k] = (float) (background.weight() * background.constantTarget() * sums[k]);
      }
    }
    map(setting, b, lowRank, side, fixed);
  }

  private void map(
      Setting setting, float b, List<ScoreSlot> lowRank, Side side, FloatMatrix fixed) {
    float[] scales = new float[maps.length];
    FloatMatrix[] others = new FloatMatrix[maps.length];
    int at = 0;
    for (ScoreSlot slot : lowRank) {
      for (int k = 0; k < slot.models().size(); k++) {
        FactorModel model = slot.models().get(k);
        maps[at] = NativeFloats.allocate(setting.allocator(), (long) model.rank() * rank);
        scales[at] = b * slot.coefficient(k);
        others[at] = model.side(side.other());
        mapped[at++] = model.side(side);
      }
    }
    setting
        .parallelism()
        .forEach(
            maps.length,
            (index, number) ->
                Products.cross(
                    setting.workers()[number],
                    others[index],
                    fixed,
                    scales[index],
                    maps[index].address(0)));
  }

  /** Factorise M and transform the other side by it, unless M is not positive definite. */
  private void whiten(Setting setting, FloatMatrix fixed) {
    NativeFloats factor = NativeFloats.allocate(setting.allocator(), (long) rank * rank);
    NativeFloats.copy(matrix(), factor.address(0), (long) rank * rank);
    if (!setting.workers()[0].algebra().factorise(rank, factor.address(0))) {
      factor.close();
      return;
    }
    triangle = factor;
    whitened = NativeFloats.allocate(setting.allocator(), (long) fixed.rows() * width);
    setting
        .parallelism()
        .forEach(
            (fixed.rows() + STRIP - 1) / STRIP,
            (strip, number) -> {
              int first = strip * STRIP;
              int rows = Math.min(STRIP, fixed.rows() - first);
              whiten(setting.workers()[number], fixed.rowAddress(first), first, rows);
            });
  }

  private void whiten(Worker worker, long from, int first, int rows) {
    NativeFloats strip = worker.offHeap("shared.strip", (long) STRIP * rank);
    NativeFloats.copy(from, strip.address(0), (long) rows * rank);
    whiten(worker, rows, strip.address(0));
    NativeFloats.clear(whitened.address((long) first * width), (long) rows * width);
    for (int row = 0; row < rows; row++) {
      NativeFloats.copy(
          strip.address((long) row * rank), whitened.address((long) (first + row) * width), rank);
    }
  }

  /** Return the address of the background's matrix, upper triangle by rows. */
  long matrix() {
    return Pages.start(matrix);
  }

  /** Return whether rows can be solved in whitened coordinates. */
  boolean whitens() {
    return triangle != null;
  }

  /** Return whether the background pulls rows at all. */
  boolean pulls() {
    return constantTarget || maps.length > 0;
  }

  /** Return how many floats a whitened row takes. */
  int width() {
    return width;
  }

  /** Return the address of {@code U'^-1 v_j} of the first row of the other side. */
  long whitenedRows() {
    return whitened.address(0);
  }

  /** Replace rows v by {@code U'^-1 v}. */
  void whiten(Worker worker, int rows, long address) {
    worker.algebra().substitute(true, rank, triangle.address(0), rows, address);
  }

  /** Replace rows z by {@code U^-1 z}. */
  void unwhiten(Worker worker, int rows, long address) {
    worker.algebra().substitute(false, rank, triangle.address(0), rows, address);
  }

  /**
   * Compute the right-hand sides that the background makes for some rows.
   *
   * @param rights the address of the first. Modified.
   */
  void rights(Worker worker, int first, int rows, long rights) {
    NativeFloats.clear(rights, (long) rows * rank);
    for (int r = 0; constantTarget && r < rows; r++) {
      for (int k = 0; k < rank; k++) {
        NativeFloats.put(rights, (long) r * rank + k, pull[k]);
      }
    }
    for (int k = 0; k < maps.length; k++) {
      int inner = mapped[k].columns();
      worker
          .algebra()
          .multiply(
              false,
              false,
              rows,
              rank,
              inner,
              1,
              mapped[k].rowAddress(first),
              inner,
              maps[k].address(0),
              rank,
              1,
              rights,
              rank);
    }
  }

  @Override
  public void close() {
    matrix.close();
    for (NativeFloats map : maps) {
      if (map != null) {
        map.close();
      }
    }
    if (triangle != null) {
      triangle.close();
    }
    if (whitened != null) {
      whitened.close();
    }
  }
}
