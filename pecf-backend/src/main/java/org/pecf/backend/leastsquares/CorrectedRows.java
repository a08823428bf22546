package org.pecf.backend.leastsquares;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.ScratchFloats;
import org.pecf.backend.algebra.Worker;

/**
 * The rows of a corrected half-sweep, or of a block of it, solved from shared equations and their
 * own exceptions, each by the solver that is expected to be the fastest. A block starts at a
 * multiple of {@link #TASK}.
 *
 * <p>For the matrix of a row, the factors of exceptions are gathered, scaled by the roots of their
 * excess weights where these differ, so that a weighted sum of outer products becomes a symmetric
 * rank-k update for those above the background and another for those below it. Right-hand sides are
 * built, and solved, in the rows of the result.
 */
public final class CorrectedRows {
  /** The exceptions that are gathered at once: they stay in cache. */
  private static final int CHUNK = 512;

  /**
   * The rows of a task, in which the choice of solvers learns: a constant, so that bits depend
   * neither on threads nor on blocks.
   */
  public static final int TASK = 64;

  private final Side side;
  private final SideExceptions exceptions;
  private final SharedEquations shared;
  private final RightSides rights;
  private final FloatSlice others;
  private final FloatMatrix solved;
  private final double[] lambda;
  private final int rank;

  /**
   * Set up a half-sweep.
   *
   * @param others the rows of the other side, each as wide as the shared equations say. Not
   *     modified.
   * @param lambda the penalty of every row, zero for a row without any weight. Not modified.
   */
  public CorrectedRows(
      Side side,
      SideExceptions exceptions,
      SharedEquations shared,
      RightSides rights,
      FloatSlice others,
      FloatMatrix solved,
      double[] lambda) {
    this.side = side;
    this.exceptions = exceptions;
    this.shared = shared;
    this.rights = rights;
    this.others = others;
    this.solved = solved;
    this.lambda = lambda;
    this.rank = shared.rank();
  }

  /** Return the number of tasks. */
  public int tasks() {
    return (solved.rows() + TASK - 1) / TASK;
  }

  /** The memory in which one worker solves rows. */
  private static final class Scratch {
    private final ScratchFloats block;
    private final ScratchFloats vector;
    private final ScratchFloats gathered;
    private final ScratchFloats pulls;
    private final ScratchFloats panel;
    private Diagonal diagonal = Diagonal.allocate(0);
    private float[] excess = {};
    private float[] unscaled = {};
    private float[] scales = {};

    Scratch(Worker worker) {
      block = worker.scratch();
      vector = worker.scratch();
      gathered = worker.scratch();
      pulls = worker.scratch();
      panel = worker.scratch();
    }

    /** Return memory for one float per exception of a row. */
    float[] excess(int count) {
      if (excess.length < count) {
        excess = new float[Math.max(count, excess.length * 3 / 2)];
      }
      return excess;
    }

    /** Return memory for the diagonal of a row. */
    Diagonal diagonal(int order) {
      if (diagonal.order() != order) {
        diagonal = Diagonal.allocate(order);
      }
      return diagonal;
    }

    /** Multiply every row by a vector, as long as the row. */
    void scaleRows(ScratchFloats memory, int count, float[] by) {
      int width = by.length;
      int size = count * width;
      if (unscaled.length < size) {
        unscaled = new float[size];
      }
      OffHeapFloats floats = memory.floats(size);
      floats.read(0, unscaled, 0, size);
      for (int row = 0; row < count; row++) {
        multiply(unscaled, row * width, by);
      }
      floats.write(0, unscaled, 0, size);
    }

    private static void multiply(float[] values, int from, float[] by) {
      for (int k = 0; k < by.length; k++) {
        values[from + k] *= by[k];
      }
    }

    /** Make room for the factors of a chunk and as many scales. */
    void reserveScales(int size) {
      if (scales.length < size) {
        scales = new float[size];
      }
      if (unscaled.length < size) {
        unscaled = new float[size];
      }
    }
  }

  /**
   * Solve the rows of a task.
   *
   * @return the sum of {@code b . x} over them
   */
  public double solve(Worker worker, int task) {
    int first = task * TASK;
    int count = Math.min(TASK, solved.rows() - first);
    MatrixSlice rows = MatrixSlice.rows(solved, first, count);
    rights.write(worker, first, rows);
    Scratch scratch = worker.kernel(Scratch.class, Scratch::new);
    double explained = 0;
    if (!shared.whitens()) {
      for (int k = 0; k < count; k++) {
        explained += solveDirectly(worker, scratch, first + k, rows.row(k));
      }
      return explained;
    }
    MatrixSlice block = MatrixSlice.of(scratch.block.slice((long) count * rank), count, rank);
    if (rights.isZero()) {
      block.floats().clear();
    } else {
      shared.whiten(worker, rows, block);
    }
    SolverChoice choice = new SolverChoice(rank);
    ConjugateGradients gradients = new ConjugateGradients(worker, shared.width());
    for (int k = 0; k < count; k++) {
      FloatSlice vector = block.row(k);
      double product = solveWhitened(worker, scratch, choice, gradients, first + k, vector);
      explained +=
          Double.isFinite(product) ? product : solveDirectly(worker, scratch, first + k, vector);
    }
    shared.unwhiten(worker, block, rows);
    return explained;
  }

  /**
   * Solve a row in whitened coordinates.
   *
   * @param vector the background's part of its right-hand side; receives the solution, if there is
   *     one. Modified.
   * @return the amount by which the row lowers the objective, or NaN if it must be solved from its
   *     own matrix
   */
  private double solveWhitened(
      Worker worker,
      Scratch scratch,
      SolverChoice choice,
      ConjugateGradients gradients,
      int index,
      FloatSlice vector) {
    SideExceptions.Row row = exceptions.row(index);
    SolverChoice.Solver solver = choice.of(row.count(), row.above() < row.count());
    if (solver == SolverChoice.Solver.FACTORISATION || lambda[index] == 0) {
      return Double.NaN;
    }
    FloatSlice padded = scratch.vector.slice(shared.width());
    vector.copyTo(padded);
    padded.from(rank).clear();
    Diagonal diagonal = shared.diagonal(lambda[index], scratch.diagonal(shared.width()));
    WhitenedRow whitened = gather(scratch, row, diagonal);
    double product;
    if (solver == SolverChoice.Solver.FEW_EXCEPTIONS && diagonal.identity()) {
      product = FewExceptionsSolver.of(worker).solve(whitened, padded);
    } else if (solver == SolverChoice.Solver.FEW_EXCEPTIONS) {
      float[] roots = diagonal.inverseRoots();
      scratch.scaleRows(scratch.gathered, row.count(), roots);
      scratch.scaleRows(scratch.vector, 1, roots);
      product = FewExceptionsSolver.of(worker).solve(whitened, padded);
      scratch.scaleRows(scratch.vector, 1, roots);
    } else {
      product = gradients.solve(whitened, choice.mostSteps(row.count()), padded);
      choice.took(gradients.steps(), Double.isFinite(product));
    }
    if (Double.isFinite(product)) {
      padded.slice(0, rank).copyTo(vector);
    }
    return product;
  }

  /** Gather the whitened factors of a row's exceptions. */
  private WhitenedRow gather(Scratch scratch, SideExceptions.Row row, Diagonal diagonal) {
    int count = row.count();
    int above = row.above();
    int width = shared.width();
    float[] excess = scratch.excess(count);
    FloatSlice floats =
        scratch
            .gathered
            .slice((long) Math.max(CHUNK, count) * width)
            .slice(0, (long) count * width);
    MatrixSlice rows = MatrixSlice.of(floats, count, width);
    row.copyRows(others, width, floats, width);
    ExcessLevels levels = exceptions.levels();
    if (levels.uniform()) {
      Arrays.fill(excess, 0, above, levels.above());
      Arrays.fill(excess, above, count, levels.below());
      return new WhitenedRow(
          diagonal, count, above, true, excess, rows, row.pulls(), SideExceptions.Row.WORDS);
    }
    FloatSlice pulls = scratch.pulls.slice(count);
    for (int p = 0; p < count; p++) {
      float scale = row.scale(p);
      excess[p] = p < above ? scale * scale : -scale * scale;
      pulls.set(p, scale * row.pull(p));
    }
    return new WhitenedRow(diagonal, count, above, false, excess, rows, pulls, 1);
  }

  /**
   * Solve one row from its own matrix, in whitened coordinates if rows are whitened.
   *
   * @param right the background's part of its right-hand side; receives the solution. Modified.
   */
  private double solveDirectly(Worker worker, Scratch scratch, int row, FloatSlice right) {
    if (lambda[row] == 0) {
      // A row without any weight.
      right.clear();
      return 0;
    }
    boolean[] pulled = {false};
    return RowSolver.of(worker)
        .solve(
            side,
            row,
            matrix -> {
              assemble(worker, scratch, row, matrix, pulled[0] ? null : right);
              pulled[0] = true;
            },
            right);
  }

  /**
   * Write the matrix of a row.
   *
   * @param right its right-hand side, to which pulls are added; null if they were added before
   */
  private void assemble(
      Worker worker, Scratch scratch, int row, FloatSlice matrix, @Nullable FloatSlice right) {
    if (shared.whitens()) {
      matrix.clear();
    } else {
      shared.matrix().copyTo(matrix);
    }
    SideExceptions.Row all = exceptions.row(row);
    int count = all.count();
    int above = all.above();
    OffHeapFloats panel = scratch.panel.floats((long) CHUNK * rank);
    for (int start = 0; start < count; ) {
      boolean isAbove = start < above;
      int end = Math.min(isAbove ? above : count, start + CHUNK);
      // Short runs of both kinds share a panel.
      int last = isAbove && end == above ? Math.min(count, start + CHUNK) : end;
      SideExceptions.Row chunk = all.range(start, last);
      MatrixSlice rows = gather(scratch, chunk, panel);
      if (right != null) {
        worker.algebra().addRows(1, rows, chunk.pulls(), SideExceptions.Row.WORDS, right);
      }
      addOuterProducts(worker, rows.rows(0, end - start), isAbove, matrix);
      if (last > end) {
        addOuterProducts(worker, rows.rows(end - start, last - end), false, matrix);
      }
      start = last;
    }
    float[] diagonal =
        shared.whitens()
            ? shared.diagonal(lambda[row], scratch.diagonal(shared.width())).elements()
            : new float[] {};
    for (int k = 0; k < rank; k++) {
      long at = (long) k * rank + k;
      double added = shared.whitens() ? diagonal[k] : lambda[row] / 2;
      matrix.set(at, (float) (matrix.get(at) + added));
    }
  }

  private void addOuterProducts(Worker worker, MatrixSlice rows, boolean above, FloatSlice matrix) {
    ExcessLevels levels = exceptions.levels();
    float scale = above ? 1 : -1;
    if (levels.uniform()) {
      scale = above ? levels.above() : levels.below();
    }
    worker.algebra().addOuterProducts(scale, rows, matrix);
  }

  /** Gather the factors of some exceptions of a row, scaled unless levels are uniform. */
  private MatrixSlice gather(Scratch scratch, SideExceptions.Row chunk, OffHeapFloats panel) {
    int size = chunk.count() * rank;
    FloatSlice rows = panel.slice(0, size);
    chunk.copyRows(others, shared.width(), rows, rank);
    if (!exceptions.levels().uniform()) {
      // One long product is faster than a short loop per row, even with as many scales to fill.
      scratch.reserveScales(CHUNK * rank);
      for (int p = 0; p < chunk.count(); p++) {
        Arrays.fill(scratch.scales, p * rank, (p + 1) * rank, chunk.scale(p));
      }
      panel.read(0, scratch.unscaled, 0, size);
      multiply(scratch.unscaled, scratch.scales, size);
      panel.write(0, scratch.unscaled, 0, size);
    }
    return MatrixSlice.of(rows, chunk.count(), rank);
  }

  private static void multiply(float[] values, float[] by, int count) {
    for (int k = 0; k < count; k++) {
      values[k] *= by[k];
    }
  }
}
