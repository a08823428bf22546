package org.pecf.backend.cpu.leastsquares;

import org.pecf.backend.cpu.algebra.NativeFloats;
import org.pecf.backend.cpu.algebra.Worker;

/**
 * Solve rows with fewer exceptions than factors by the matrix inversion lemma.
 *
 * <p>All rows share {@code M = b V'V + lambda / 2 I}. With {@code z_j = M^-1 v_j} known for every
 * row of the other side, a row with exceptions of excess weights D solves {@code x = y - sum_j w_j
 * z_j}, where {@code y = M^-1 (right-hand side)} and {@code (I + D K) w = D V_e y}, {@code K_jk =
 * v_j . z_k}: a system of as many equations as exceptions, exact like the direct one.
 */
final class FewExceptions {
  private FewExceptions() {}

  /** Return whether this way takes less time than the direct one, by rough counts of operations. */
  static boolean pays(int exceptions, int rank) {
    double e = exceptions;
    double direct = e * rank * rank + 5.0 * rank * rank * rank / 3;
    double here = 3 * e * e * rank + 8 * e * e * e + 6 * e * rank;
    return here < direct;
  }

  /** What one row is made of: its exceptions gathered row after row. */
  record Row(int count, float[] excess, float[] factors, float[] solved) {}

  /**
   * Solve one row.
   *
   * @param row the exceptions: factors v_j and their z_j, count x rank each. Not modified.
   * @param solution y; receives x. Modified.
   * @return whether the system could be solved
   */
  static boolean solve(Worker worker, int rank, Row row, float[] solution) {
    int count = row.count();
    if (count == 0) {
      return true;
    }
    float[] system = inner(worker, rank, row);
    float[] w = worker.heap("few.right", count);
    for (int j = 0; j < count; j++) {
      float product = 0;
      for (int k = 0; k < rank; k++) {
        product += row.factors()[j * rank + k] * solution[k];
      }
      w[j] = row.excess()[j] * product;
      for (int k = 0; k < count; k++) {
        system[j * count + k] *= row.excess()[j];
      }
      system[j * count + j] += 1;
    }
    if (!eliminate(count, system, w)) {
      return false;
    }
    for (int j = 0; j < count; j++) {
      float weight = w[j];
      for (int k = 0; k < rank; k++) {
        solution[k] -= weight * row.solved()[j * rank + k];
      }
    }
    return true;
  }

  /** Compute K. */
  private static float[] inner(Worker worker, int rank, Row row) {
    int count = row.count();
    NativeFloats left = worker.offHeap("few.left", (long) count * rank);
    NativeFloats right = worker.offHeap("few.right", (long) count * rank);
    NativeFloats product = worker.offHeap("few.product", (long) count * count);
    left.write(0, row.factors(), 0, count * rank);
    right.write(0, row.solved(), 0, count * rank);
    worker
        .algebra()
        .multiply(
            false,
            true,
            count,
            count,
            rank,
            1,
            left.address(0),
            rank,
            right.address(0),
            rank,
            0,
            product.address(0),
            count);
    float[] inner = worker.heap("few.inner", count * count);
    product.read(0, inner, 0, count * count);
    return inner;
  }

  /**
   * Solve a general system by elimination with row exchanges.
   *
   * @param a order x order, row after row. Modified.
   * @param b receives the solution. Modified.
   */
  private static boolean eliminate(int order, float[] a, float[] b) {
    for (int p = 0; p < order; p++) {
      int pivot = p;
      for (int i = p + 1; i < order; i++) {
        if (Math.abs(a[i * order + p]) > Math.abs(a[pivot * order + p])) {
          pivot = i;
        }
      }
      if (!(Math.abs(a[pivot * order + p]) > 0)) {
        return false;
      }
      if (pivot != p) {
        for (int k = p; k < order; k++) {
          float swapped = a[p * order + k];
          a[p * order + k] = a[pivot * order + k];
          a[pivot * order + k] = swapped;
        }
        float swapped = b[p];
        b[p] = b[pivot];
        b[pivot] = swapped;
      }
      for (int i = p + 1; i < order; i++) {
        float factor = a[i * order + p] / a[p * order + p];
        if (factor != 0) {
          int to = i * order;
          int from = p * order;
          for (int k = p + 1; k < order; k++) {
            a[to + k] -= factor * a[from + k];
          }
          b[i] -= factor * b[p];
        }
      }
    }
    for (int i = order - 1; i >= 0; i--) {
      float sum = b[i];
      for (int k = i + 1; k < order; k++) {
        sum -= a[i * order + k] * b[k];
      }
      b[i] = sum / a[i * order + i];
    }
    return true;
  }
}
