package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.field.ScoreCombination;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.plugin.backend.cpu.algebra.FloatSlice;
import org.pecf.plugin.backend.cpu.algebra.MatrixSlice;
import org.pecf.plugin.backend.cpu.algebra.OffHeapFloats;
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

  /** {@code b V'V}, of which the upper triangle is valid. */
  private final FloatSlice matrix;

  /** The part of the right-hand side due to constant targets: {@code b t sum_j v_j}. */
  private final float[] pull;

  private boolean constantTarget;

  /** The maps from the factors of the models in the targets to right-hand sides. */
  private final List<Mapping> mappings = new ArrayList<>();

  /** The eigenvectors of the matrix, one a row, times the roots of {@link #scales}; or null. */
  private OffHeapFloats basis;

  /** The eigenvalues of the matrix, padded with zeros. */
  private final float[] eigenvalues;

  /** The inverses of the eigenvalues plus half the mean penalty, padded with ones. */
  private final float[] scales;

  /**
   * {@code T v_j} for every row of the other side, with the basis T, padded with zeros, or null.
   */
  private OffHeapFloats whitened;

  private int whitenedCount;
  private final double meanPenalty;
  private final Diagonal identity;

  /**
   * The contribution of one model in the targets, {@code b c F'V}.
   *
   * @param scale {@code b c}
   * @param other the model's factors of the other side, F
   * @param factors the model's factors of the solved side
   * @param map the product
   */
  private record Mapping(float scale, FloatMatrix other, FloatMatrix factors, OffHeapFloats map) {}

  private SharedEquations(CpuContext context, int rank, double meanPenalty) {
    this.context = context;
    this.rank = rank;
    this.width = (rank + PADDING - 1) / PADDING * PADDING;
    this.matrixFloats = OffHeapFloats.allocate(context.allocator(), PageAlignment.floats(rank));
    this.matrix = PageAlignment.atStart(matrixFloats, rank);
    this.pull = new float[rank];
    this.eigenvalues = new float[width];
    this.scales = new float[width];
    Arrays.fill(scales, 1);
    this.meanPenalty = meanPenalty;
    this.identity = Diagonal.identity(width);
  }

  /**
   * Compute the shared equations.
   *
   * @param scores the scores in the background's targets
   * @param meanPenalty the mean of the rows' penalties, for the scale of coordinates
   * @param whiten whether rows may be solved in whitened coordinates
   */
  static SharedEquations of(
      CpuContext context,
      Background background,
      List<ScoreCombination> scores,
      Side side,
      FloatMatrix fixed,
      double meanPenalty,
      boolean whiten) {
    SharedEquations shared = new SharedEquations(context, fixed.columns(), meanPenalty);
    try {
      shared.prepare(background, fixed);
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

  private void prepare(Background background, FloatMatrix fixed) {
    matrix.clear();
    context
        .workers()[0]
        .algebra()
        .addOuterProducts((float) background.weight(), MatrixSlice.of(fixed), matrix);
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

  /** Find the basis and transform the other side to it, unless there are no eigenvalues. */
  private void whiten(FloatMatrix fixed) {
    OffHeapFloats vectors = OffHeapFloats.allocate(context.allocator(), (long) rank * rank);
    FloatSlice square = vectors.slice(0, (long) rank * rank);
    matrix.copyTo(square);
    float[] found = new float[rank];
    if (!context.workers()[0].algebra().diagonalise(square, found)) {
      vectors.close();
      return;
    }
    basis = vectors;
    float[] row = new float[rank];
    for (int k = 0; k < rank; k++) {
      // A Gramian has no negative eigenvalues but by rounding.
      eigenvalues[k] = Math.max(0, found[k]);
      double scale = 1 / (eigenvalues[k] + meanPenalty / 2);
      scales[k] = (float) scale;
      float root = (float) Math.sqrt(scale);
      basis.read((long) k * rank, row, 0, rank);
      for (int c = 0; c < rank; c++) {
        row[c] *= root;
      }
      basis.write((long) k * rank, row, 0, rank);
    }
    whitenedCount = fixed.rows();
    whitened = OffHeapFloats.allocate(context.allocator(), (long) whitenedCount * width);
    context
        .parallelism()
        .forEach(
            (fixed.rows() + STRIP - 1) / STRIP,
            (strip, number) -> {
              int first = strip * STRIP;
              int rows = Math.min(STRIP, fixed.rows() - first);
              FloatSlice padded = whitened.slice((long) first * width, (long) rows * width);
              padded.clear();
              whiten(
                  context.workers()[number],
                  MatrixSlice.rows(fixed, first, rows),
                  MatrixSlice.of(padded, rows, rank, width));
            });
  }

  private MatrixSlice basis() {
    return MatrixSlice.of(basis.slice(0, (long) rank * rank), rank, rank);
  }

  /** Return the background's matrix by rows, of which the upper triangle is valid. */
  FloatSlice matrix() {
    return matrix;
  }

  /** Return whether rows can be solved in whitened coordinates. */
  boolean whitens() {
    return basis != null;
  }

  /** Return whether the background has a right-hand side. */
  boolean pulls() {
    return constantTarget || !mappings.isEmpty();
  }

  /** Return the floats that a whitened row takes. */
  int width() {
    return width;
  }

  /** Return {@code T v_j} of all rows of the other side. */
  FloatSlice whitenedRows() {
    return whitened.slice(0, (long) whitenedCount * width);
  }

  /**
   * Return the background's equations of a row with a penalty.
   *
   * @param own the memory for those of a row with a penalty of its own. Modified.
   */
  Diagonal diagonal(double penalty, Diagonal own) {
    if (penalty == meanPenalty) {
      return identity;
    }
    own.set(eigenvalues, scales, (float) (penalty / 2));
    return own;
  }

  /**
   * Compute {@code T v} for rows v.
   *
   * @param rows Not modified.
   * @param target receives one row each. Modified.
   */
  void whiten(Worker worker, MatrixSlice rows, MatrixSlice target) {
    worker.algebra().multiply(1, rows, basis().transpose(), 0, target);
  }

  /**
   * Add {@code x = T' z} for rows z.
   *
   * @param rows Not modified.
   * @param target Modified.
   */
  void addUnwhitened(Worker worker, MatrixSlice rows, MatrixSlice target) {
    worker.algebra().multiply(1, rows, basis(), 1, target);
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
    if (basis != null) {
      basis.close();
    }
    if (whitened != null) {
      whitened.close();
    }
  }
}
