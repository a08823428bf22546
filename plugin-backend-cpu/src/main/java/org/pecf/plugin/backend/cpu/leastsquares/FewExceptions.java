package org.pecf.plugin.backend.cpu.leastsquares;

import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;

/**
 * Solve rows with fewer exceptions than factors by the matrix inversion lemma.
 *
 * <p>In whitened coordinates {@code z = h - Q' w} with {@code (D^-1 + Q Q') w = Q h}: a system of
 * as many equations as exceptions. Where excess weights are a hundred times the background, the
 * difference loses about a digit. With the exceptions above the background first, the system's
 * leading block is positive definite and what elimination leaves of the others negative definite,
 * so that it needs no exchange of rows.
 */
final class FewExceptions {
  private FewExceptions() {}

  /**
   * Solve one row.
   *
   * @param vector the address of the background's part of h; receives z. Modified.
   * @return {@code h . z}, or NaN if the row must be solved directly
   */
  static double solve(Worker worker, int order, WhitenedRow row, long vector) {
    int count = row.count();
    if (count == 0) {
      return product(vector, vector, order);
    }
    worker.algebra().addRows(count, order, 1, row.rows(), row.pulls(), row.stride(), vector);
    long whole = worker.offHeap("few.whole", order).address(0);
    NativeFloats.copy(vector, whole, order);
    NativeFloats system = worker.offHeap("few.system", (long) count * count);
    NativeFloats weights = worker.offHeap("few.weights", count);
    worker.algebra().innerProducts(count, order, row.rows(), system.address(0));
    worker.algebra().project(count, order, row.rows(), vector, weights.address(0));
    boolean solved =
        row.above() == count
            ? factorise(worker, row, system.address(0), weights.address(0))
            : eliminate(worker, row, system, weights);
    if (!solved) {
      return Double.NaN;
    }
    worker.algebra().addRows(count, order, -1, row.rows(), weights.address(0), 1, vector);
    return product(whole, vector, order);
  }

  private static double product(long left, long right, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
      sum += (double) NativeFloats.at(left, k) * NativeFloats.at(right, k);
    }
    return sum;
  }

  /** Solve a positive definite system. */
  private static boolean factorise(Worker worker, WhitenedRow row, long system, long vector) {
    int count = row.count();
    for (int k = 0; k < count; k++) {
      long at = (long) k * count + k;
      NativeFloats.put(system, at, NativeFloats.at(system, at) + 1 / row.excess()[k]);
    }
    if (!worker.algebra().factorise(count, system)) {
      return false;
    }
    worker.algebra().substitute(true, count, system, 1, vector);
    worker.algebra().substitute(false, count, system, 1, vector);
    return true;
  }

  /** Solve a system of which the last pivots are negative, as {@code A = U' S U}, S of signs. */
  private static boolean eliminate(
      Worker worker, WhitenedRow row, NativeFloats system, NativeFloats vector) {
    int count = row.count();
    float[] a = worker.heap("few.a", count * count);
    float[] b = worker.heap("few.b", count);
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
