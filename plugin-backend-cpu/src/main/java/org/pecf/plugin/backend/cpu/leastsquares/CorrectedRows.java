package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Arrays;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;
import org.pecf.plugin.backend.cpu.leastsquares.Corrections.View;

/**
 * Solve the rows of a half-sweep from shared equations and their own exceptions, each in the way
 * that {@link WayChoice} expects to be the cheapest.
 *
 * <p>For the matrix of a row, factors of exceptions are copied together, scaled by the roots of
 * their excess weights where these differ, so that a weighted sum of outer products becomes a
 * symmetric rank-k update for those above the background and another for those below it. Right-hand
 * sides are built, and solved, in the rows of the result.
 */
final class CorrectedRows {
  /** How many exceptions are copied together at once: they stay in cache. */
  private static final int CHUNK = 512;

  private final Side side;
  private final View view;
  private final SharedEquations shared;
  private final FloatMatrix fixed;
  private final FloatMatrix solved;
  private final double[] lambda;
  private final int rank;

  /**
   * Set a half-sweep up.
   *
   * @param lambda the penalty of every row, or null if the shared equations contain it
   */
  CorrectedRows(
      Side side,
      View view,
      SharedEquations shared,
      FloatMatrix fixed,
      FloatMatrix solved,
      double[] lambda) {
    this.side = side;
    this.view = view;
    this.shared = shared;
    this.fixed = fixed;
    this.solved = solved;
    this.lambda = lambda;
    this.rank = fixed.columns();
  }

  /**
   * Solve consecutive rows.
   *
   * @return the sum of {@code b . x} over them
   */
  double solve(Worker worker, int first, int rows) {
    shared.rights(worker, first, rows, solved.rowAddress(first));
    double explained = 0;
    if (!shared.whitens()) {
      for (int row = first; row < first + rows; row++) {
        explained += direct(worker, row);
      }
      return explained;
    }
    NativeFloats block = worker.offHeap("corrected.whitened", (long) rows * rank);
    NativeFloats.copy(solved.rowAddress(first), block.address(0), (long) rows * rank);
    if (shared.pulls()) {
      shared.whiten(worker, rows, block.address(0));
    }
    WayChoice choice = new WayChoice(rank);
    ConjugateGradients gradients = new ConjugateGradients(worker, shared.width());
    boolean[] direct = new boolean[rows];
    for (int k = 0; k < rows; k++) {
      long vector = block.address((long) k * rank);
      double product = whitened(worker, choice, gradients, first + k, vector);
      direct[k] = !Double.isFinite(product);
      if (direct[k]) {
        product = direct(worker, first + k);
        NativeFloats.clear(vector, rank);
      }
      explained += product;
    }
    shared.unwhiten(worker, rows, block.address(0));
    for (int k = 0; k < rows; k++) {
      if (!direct[k]) {
        NativeFloats.copy(block.address((long) k * rank), solved.rowAddress(first + k), rank);
      }
    }
    return explained;
  }

  /**
   * Solve a row in whitened coordinates.
   *
   * @param vector the address of the background's part of its right-hand side; receives the
   *     solution. Modified.
   * @return what it takes off the objective, or NaN if it is to be solved from its own matrix
   */
  private double whitened(
      Worker worker, WayChoice choice, ConjugateGradients gradients, int row, long vector) {
    int count = view.count(row);
    WayChoice.Way way = choice.of(count, view.above(row) < count);
    if (way == WayChoice.Way.FACTORISATION) {
      return Double.NaN;
    }
    int width = shared.width();
    long padded = worker.offHeap("corrected.vector", width).address(0);
    NativeFloats.copy(vector, padded, rank);
    NativeFloats.clear(padded + (long) rank * Float.BYTES, width - rank);
    WhitenedRow exceptions = gather(worker, row);
    double product;
    if (way == WayChoice.Way.FEW_EXCEPTIONS) {
      product = FewExceptions.solve(worker, width, exceptions, padded);
    } else {
      product = gradients.solve(exceptions, choice.mostSteps(count), padded);
      choice.took(gradients.steps(), Double.isFinite(product));
    }
    NativeFloats.copy(padded, vector, rank);
    return product;
  }

  /** Copy the whitened factors of a row's exceptions together. */
  private WhitenedRow gather(Worker worker, int row) {
    int count = view.count(row);
    int above = view.above(row);
    int width = shared.width();
    long entries = view.entries(row);
    float[] excess = worker.heap("corrected.excess", count);
    long panel =
        worker.offHeap("corrected.gathered", (long) Math.max(CHUNK, count) * width).address(0);
    copyRows(entries, count, shared.whitenedRows(), panel, width);
    Corrections.Levels levels = view.levels();
    if (levels.uniform()) {
      Arrays.fill(excess, 0, above, levels.above());
      Arrays.fill(excess, above, count, levels.below());
      return new WhitenedRow(count, above, true, excess, panel, View.pull(entries, 0), View.WORDS);
    }
    long pulls = worker.offHeap("corrected.pulls", count).address(0);
    for (int p = 0; p < count; p++) {
      float scale = View.scale(entries, p);
      excess[p] = p < above ? scale * scale : -scale * scale;
      NativeFloats.put(pulls, p, scale * NativeFloats.at(View.pull(entries, p), 0));
    }
    return new WhitenedRow(count, above, false, excess, panel, pulls, 1);
  }

  /** Solve one row from its own matrix. */
  private double direct(Worker worker, int row) {
    long right = solved.rowAddress(row);
    if (lambda != null && lambda[row] == 0) {
      // A row without any weight.
      NativeFloats.clear(right, rank);
      return 0;
    }
    long[] pending = {right};
    return RowSolver.solve(
        worker,
        side,
        row,
        rank,
        matrix -> {
          assemble(worker, row, matrix, pending[0]);
          pending[0] = 0;
        },
        right);
  }

  /**
   * Write the matrix of a row.
   *
   * @param right the address of its right-hand side, to which pulls are added; 0 if they were
   */
  private void assemble(Worker worker, int row, long matrix, long right) {
    NativeFloats.copy(shared.matrix(), matrix, (long) rank * rank);
    int count = view.count(row);
    int above = view.above(row);
    NativeFloats panel = worker.offHeap("corrected.panel", (long) CHUNK * rank);
    for (int start = 0; start < count; ) {
      boolean isAbove = start < above;
      int end = Math.min(isAbove ? above : count, start + CHUNK);
      // Short runs of both kinds share a panel.
      int last = isAbove && end == above ? Math.min(count, start + CHUNK) : end;
      gather(worker, row, start, last, panel);
      if (right != 0) {
        worker
            .algebra()
            .addRows(
                last - start,
                rank,
                1,
                panel.address(0),
                View.pull(view.entries(row), start),
                View.WORDS,
                right);
      }
      add(worker, end - start, isAbove, panel.address(0), matrix);
      if (last > end) {
        add(worker, last - end, false, panel.address((long) (end - start) * rank), matrix);
      }
      start = last;
    }
    if (lambda != null) {
      for (int k = 0; k < rank; k++) {
        long at = (long) k * rank + k;
        NativeFloats.put(matrix, at, (float) (NativeFloats.at(matrix, at) + lambda[row] / 2));
      }
    }
  }

  private void add(Worker worker, int count, boolean above, long panel, long matrix) {
    Corrections.Levels levels = view.levels();
    float scale = above ? 1 : -1;
    if (levels.uniform()) {
      scale = above ? levels.above() : levels.below();
    }
    worker.algebra().addOuterProducts(rank, count, scale, panel, matrix);
  }

  /** Copy the factors of some exceptions of a row together, scaled unless levels are uniform. */
  private void gather(Worker worker, int row, int start, int end, NativeFloats panel) {
    long entries = view.entries(row) + (long) start * View.WORDS * Integer.BYTES;
    copyRows(entries, end - start, fixed.rowAddress(0), panel.address(0), rank);
    if (view.levels().uniform()) {
      return;
    }
    // Filling as many scales and one long product take less time than a short loop a row.
    int size = (end - start) * rank;
    float[] gathered = worker.heap("corrected.unscaled", CHUNK * rank);
    float[] scales = worker.heap("corrected.scales", CHUNK * rank);
    for (int p = 0; p < end - start; p++) {
      Arrays.fill(scales, p * rank, (p + 1) * rank, View.scale(entries, p));
    }
    panel.read(0, gathered, 0, size);
    multiply(gathered, scales, size);
    panel.write(0, gathered, 0, size);
  }

  private static void multiply(float[] values, float[] by, int count) {
    for (int k = 0; k < count; k++) {
      values[k] *= by[k];
    }
  }

  private static void copyRows(long entries, int count, long from, long to, int width) {
    long bytes = (long) width * Float.BYTES;
    for (int p = 0; p < count; p++) {
      NativeFloats.copy(from + View.other(entries, p) * bytes, to + p * bytes, width);
    }
  }
}
