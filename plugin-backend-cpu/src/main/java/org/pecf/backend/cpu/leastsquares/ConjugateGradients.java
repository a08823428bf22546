package org.pecf.backend.cpu.leastsquares;

import org.pecf.backend.cpu.algebra.LinearAlgebra;
import org.pecf.backend.cpu.algebra.NativeFloats;
import org.pecf.backend.cpu.algebra.Worker;

/**
 * Solve rows by conjugate gradients, to the precision of floats.
 *
 * <p>In whitened coordinates a row's matrix is the identity and a sum over its exceptions, most of
 * its eigenvalues are close to one, and few steps do, each of which passes over the exceptions
 * twice. Steps start from nothing rather than from the last sweep's factors: the product that would
 * tell how far these are off costs as much as the steps they save, and so a half-sweep depends on
 * the other side alone.
 */
final class ConjugateGradients {
  /**
   * Where to stop: the length of the residual, as a part of that of the right-hand side. Rounding
   * alone makes as much of it in a factorisation of single precision.
   */
  private static final float PRECISION = 1e-6f;

  /** How many floats of exceptions are passed over at once, to be in cache the second time. */
  private static final int CACHED = 1 << 15;

  private final LinearAlgebra.Caller algebra;
  private final int order;
  private final int chunk;
  private final long right;
  private final long residual;
  private final long direction;
  private final long image;
  private final long projected;
  private int steps;

  ConjugateGradients(Worker worker, int order) {
    this.algebra = worker.algebra();
    this.order = order;
    this.chunk = Math.max(1, CACHED / order);
    NativeFloats vectors = worker.offHeap("gradients.vectors", 4L * order + chunk);
    right = vectors.address(0);
    residual = vectors.address(order);
    direction = vectors.address(2L * order);
    image = vectors.address(3L * order);
    projected = vectors.address(4L * order);
  }

  /** Return how many steps the last row took. */
  int steps() {
    return steps;
  }

  /**
   * Solve one row.
   *
   * @param most after how many steps to give up
   * @param vector the address of the background's part of h; receives z. Modified.
   * @return what z takes off the objective, {@code h . z} up to rounding, or NaN if the row must be
   *     solved otherwise
   */
  double solve(WhitenedRow row, int most, long vector) {
    algebra.addRows(row.count(), order, 1, row.rows(), row.pulls(), row.stride(), vector);
    NativeFloats.copy(vector, right, order);
    NativeFloats.copy(vector, residual, order);
    NativeFloats.copy(vector, direction, order);
    NativeFloats.copy(vector, image, order);
    NativeFloats.clear(vector, order);
    float squares = product(residual, residual);
    float enough = PRECISION * PRECISION * squares;
    for (steps = 0; squares > enough; steps++) {
      if (steps == most) {
        return Double.NaN;
      }
      addExceptions(row);
      float curvature = product(direction, image);
      if (!(curvature > 0)) {
        return Double.NaN;
      }
      float length = squares / curvature;
      float left = shorten(length);
      turn(vector, length, left / squares);
      squares = left;
    }
    // With a residual r, what z takes off the objective is 2 h . z - z . A z = h . z + r . z.
    return squares <= enough ? explained(vector) : Double.NaN;
  }

  /** Add {@code Q' D Q p} to the image of the direction p, which contains p itself. */
  private void addExceptions(WhitenedRow row) {
    for (int start = 0; start < row.count(); start += chunk) {
      int end = Math.min(row.count(), start + chunk);
      long rows = row.rows() + (long) start * order * Float.BYTES;
      algebra.project(end - start, order, rows, direction, projected);
      if (row.uniform()) {
        int above = Math.max(0, Math.min(row.above(), end) - start);
        add(above, row.excess()[start], rows, projected);
        add(
            end - start - above,
            row.excess()[end - 1],
            rows + (long) above * order * Float.BYTES,
            projected + (long) above * Float.BYTES);
      } else {
        for (int k = start; k < end; k++) {
          long at = k - start;
          NativeFloats.put(projected, at, NativeFloats.at(projected, at) * row.excess()[k]);
        }
        add(end - start, 1, rows, projected);
      }
    }
  }

  private void add(int count, float scale, long rows, long coefficients) {
    if (count > 0) {
      algebra.addRows(count, order, scale, rows, coefficients, 1, image);
    }
  }

  private float product(long first, long second) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int k = 0;
    for (; k + 3 < order; k += 4) {
      a += NativeFloats.at(first, k) * NativeFloats.at(second, k);
      b += NativeFloats.at(first, k + 1) * NativeFloats.at(second, k + 1);
      c += NativeFloats.at(first, k + 2) * NativeFloats.at(second, k + 2);
      d += NativeFloats.at(first, k + 3) * NativeFloats.at(second, k + 3);
    }
    for (; k < order; k++) {
      a += NativeFloats.at(first, k) * NativeFloats.at(second, k);
    }
    return a + b + (c + d);
  }

  /** Take the image times a length off the residual, and return what is left of it squared. */
  private float shorten(float length) {
    for (int k = 0; k < order; k++) {
      NativeFloats.put(
          residual, k, NativeFloats.at(residual, k) - length * NativeFloats.at(image, k));
    }
    return product(residual, residual);
  }

  /** Take the step, and choose the next direction. */
  private void turn(long vector, float length, float turn) {
    for (int k = 0; k < order; k++) {
      float way = NativeFloats.at(direction, k);
      NativeFloats.put(vector, k, NativeFloats.at(vector, k) + length * way);
      float next = NativeFloats.at(residual, k) + turn * way;
      NativeFloats.put(direction, k, next);
      NativeFloats.put(image, k, next);
    }
  }

  private double explained(long vector) {
    double sum = 0;
    for (int k = 0; k < order; k++) {
      sum +=
          ((double) NativeFloats.at(right, k) + NativeFloats.at(residual, k))
              * NativeFloats.at(vector, k);
    }
    return sum;
  }
}
