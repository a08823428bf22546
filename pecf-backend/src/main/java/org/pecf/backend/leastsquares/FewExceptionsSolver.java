package org.pecf.backend.leastsquares;

import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.LinearAlgebra;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.ScratchFloats;
import org.pecf.backend.algebra.Worker;

/**
 * A solver of rows with fewer exceptions than factors, by the matrix inversion lemma.
 *
 * <p>In coordinates where the diagonal is the identity {@code z = h - Q' w} with {@code (D^-1 + Q
 * Q') w = Q h}: a system of as many equations as exceptions. Where excess weights are a hundred
 * times the background, the difference loses about a digit. With the exceptions above the
 * background first, the system's leading block is positive definite and its Schur complement
 * negative definite, so that elimination needs no pivoting.
 */
final class FewExceptionsSolver {
  private final LinearAlgebra.Caller algebra;
  private final ScratchFloats wholeFloats;
  private final ScratchFloats systemFloats;
  private final ScratchFloats weightFloats;

  private FewExceptionsSolver(Worker worker) {
    this.algebra = worker.algebra();
    this.wholeFloats = worker.scratch();
    this.systemFloats = worker.scratch();
    this.weightFloats = worker.scratch();
  }

  /** Return the solver of a worker. */
  static FewExceptionsSolver of(Worker worker) {
    return worker.kernel(FewExceptionsSolver.class, FewExceptionsSolver::new);
  }

  /**
   * Solve one row, whose factors and right-hand side are scaled so that its diagonal counts as the
   * identity.
   *
   * @param vector the background's part of h; receives z. Modified.
   * @return {@code h . z}, or NaN if the row must be solved directly
   */
  double solve(WhitenedRow row, FloatSlice vector) {
    int count = row.count();
    if (count == 0) {
      return product(vector, vector);
    }
    algebra.addRows(1, row.rows(), row.pulls(), row.stride(), vector);
    FloatSlice whole = wholeFloats.slice(vector.length());
    vector.copyTo(whole);
    OffHeapFloats systems = systemFloats.floats((long) count * count);
    OffHeapFloats weights = weightFloats.floats(count);
    FloatSlice system = systems.slice(0, (long) count * count);
    FloatSlice weight = weights.slice(0, count);
    algebra.innerProducts(row.rows(), system);
    algebra.project(row.rows(), vector, weight);
    boolean solved =
        row.above() == count ? factorise(row, system, weight) : eliminate(row, systems, weights);
    if (!solved) {
      return Double.NaN;
    }
    algebra.addRows(-1, row.rows(), weight, 1, vector);
    return product(whole, vector);
  }

  private static double product(FloatSlice left, FloatSlice right) {
    double sum = 0;
    for (int k = 0; k < left.length(); k++) {
      sum += (double) left.get(k) * right.get(k);
    }
    return sum;
  }

  /** Solve a positive definite system. */
  private boolean factorise(WhitenedRow row, FloatSlice system, FloatSlice vector) {
    int count = row.count();
    for (int k = 0; k < count; k++) {
      long at = (long) k * count + k;
      system.set(at, system.get(at) + 1 / row.excess()[k]);
    }
    if (!algebra.factorise(count, system)) {
      return false;
    }
    MatrixSlice one = MatrixSlice.of(vector, 1, count);
    algebra.substitute(true, system, one);
    algebra.substitute(false, system, one);
    return true;
  }

  /** Solve a system whose last pivots are negative, as {@code A = U' S U}, S of signs. */
  private static boolean eliminate(WhitenedRow row, OffHeapFloats system, OffHeapFloats vector) {
    int count = row.count();
    float[] a = new float[count * count];
    float[] b = new float[count];
    system.read(0, a, 0, count * count);
    vector.read(0, b, 0, count);
    for (int k = 0; k < count; k++) {
      a[k * count + k] += 1 / row.excess()[k];
    }
    for (int p = 0; p < count; p++) {
      int from = p * count;
      float pivot = a[from + p];
      if (!(p < row.above() ? pivot > 0 : pivot < 0)) {
        return false;
      }
      float inverse = 1 / pivot;
      float element = b[p] * inverse;
      for (int i = p + 1; i < count; i++) {
        subtract(a, i * count, from, a[from + i] * inverse, i, count);
      }
      for (int i = p + 1; i < count; i++) {
        b[i] -= element * a[from + i];
      }
    }
    for (int i = count - 1; i >= 0; i--) {
      float sum = b[i];
      for (int k = i + 1; k < count; k++) {
        sum -= a[i * count + k] * b[k];
      }
      b[i] = sum / a[i * count + i];
    }
    vector.write(0, b, 0, count);
    return true;
  }

  /** Subtract a multiple of a row from another, from a column on. */
  private static void subtract(float[] a, int to, int from, float factor, int start, int end) {
    for (int k = start; k < end; k++) {
      a[to + k] -= factor * a[from + k];
    }
  }
}
