package org.pecf.backend.leastsquares;

import java.util.Arrays;
import org.pecf.backend.algebra.DotProduct;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.LinearAlgebra;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.ScratchFloats;
import org.pecf.backend.algebra.Worker;

/**
 * A solver of rows by conjugate gradients, to the precision of floats.
 *
 * <p>In whitened coordinates a row's matrix is diagonal plus a sum over its exceptions. Relative to
 * the diagonal, by which steps are preconditioned, most of its eigenvalues are close to one, so
 * that few steps suffice, each of which passes over the exceptions twice. Steps start from zero, so
 * that a half-sweep depends on the other side alone. Starting from the last sweep's factors would
 * save about two steps, but computing their residual costs one.
 */
final class ConjugateGradients {
  /**
   * The length of the last residual, relative to that of the first step, where lengths are those in
   * coordinates in which the diagonal is the identity. Without exceptions below the background no
   * eigenvalue is less than one, so that the error of the solution is at most the residual, and the
   * solution is longer than the first step. So this bounds the relative error, to about the
   * rounding error of a factorisation.
   */
  private static final float PRECISION = 3e-6f;

  /** The floats of exceptions in one pass: few enough to be in cache the second time. */
  private static final int CACHED = 1 << 15;

  private final LinearAlgebra.Caller algebra;
  private final int order;
  private final int chunk;

  /** The operands of products: the direction, its image, the scores of exceptions. */
  private final OffHeapFloats operands;

  private final FloatSlice directionSlice;
  private final FloatSlice imageSlice;
  private final FloatSlice scoresSlice;
  private final float[] right;
  private final float[] solution;
  private final float[] residual;
  private final float[] conditioned;
  private final float[] direction;
  private final float[] image;
  private int steps;

  /** Create the solver of one task. */
  ConjugateGradients(Worker worker, int order) {
    this.algebra = worker.algebra();
    this.order = order;
    this.chunk = Math.max(1, CACHED / order);
    operands = worker.kernel(Scratch.class, Scratch::new).operands.floats(2L * order + chunk);
    directionSlice = operands.slice(0, order);
    imageSlice = operands.slice(order, order);
    scoresSlice = operands.slice(2L * order, chunk);
    right = new float[order];
    solution = new float[order];
    residual = new float[order];
    conditioned = new float[order];
    direction = new float[order];
    image = new float[order];
  }

  /** The off-heap memory of one worker. */
  private static final class Scratch {
    private final ScratchFloats operands;

    Scratch(Worker worker) {
      operands = worker.scratch();
    }
  }

  /** Return the number of steps that the last row took. */
  int steps() {
    return steps;
  }

  /**
   * Solve one row.
   *
   * @param most the number of steps after which to give up
   * @param vector the background's part of h; receives z. Modified.
   * @return the amount by which z lowers the objective, {@code h . z} up to rounding, or NaN if the
   *     row must be solved otherwise
   */
  double solve(WhitenedRow row, int most, FloatSlice vector) {
    algebra.addRows(1, row.rows(), row.pulls(), row.stride(), vector);
    vector.copyTo(imageSlice);
    operands.read(order, right, 0, order);
    System.arraycopy(right, 0, residual, 0, order);
    start(row.diagonal());
    float squares = DotProduct.of(residual, conditioned, order);
    float enough = 0;
    for (steps = 0; squares > enough; steps++) {
      if (steps == most) {
        return Double.NaN;
      }
      multiply(row);
      float curvature = DotProduct.of(direction, image, order);
      if (!(curvature > 0)) {
        return Double.NaN;
      }
      float length = squares / curvature;
      if (steps == 0) {
        enough = PRECISION * length * PRECISION * length * squares;
      }
      shorten(residual, length, image, row.diagonal().inverse(), conditioned, order);
      float left = DotProduct.of(residual, conditioned, order);
      step(
          solution,
          length,
          direction,
          left / squares,
          conditioned,
          row.diagonal().elements(),
          image,
          order);
      squares = left;
    }
    operands.write(order, solution, 0, order);
    imageSlice.copyTo(vector);
    return explained();
  }

  /** Complete the image of the direction p, {@code G p + Q' D Q p}. */
  private void multiply(WhitenedRow row) {
    operands.write(0, direction, 0, order);
    operands.write(order, image, 0, order);
    for (int start = 0; start < row.count(); start += chunk) {
      int end = Math.min(row.count(), start + chunk);
      MatrixSlice rows = row.rows().rows(start, end - start);
      algebra.project(rows, directionSlice, scoresSlice);
      if (row.uniform()) {
        int above = Math.max(0, Math.min(row.above(), end) - start);
        addRows(row.excess()[start], rows, 0, above);
        addRows(row.excess()[end - 1], rows, above, end - start - above);
      } else {
        for (int k = start; k < end; k++) {
          scoresSlice.set(k - start, scoresSlice.get(k - start) * row.excess()[k]);
        }
        addRows(1, rows, 0, end - start);
      }
    }
    operands.read(order, image, 0, order);
  }

  /** Add some rows, times their scores, to the image. */
  private void addRows(float scale, MatrixSlice rows, int first, int count) {
    if (count > 0) {
      algebra.addRows(
          scale, rows.rows(first, count), scoresSlice.slice(first, count), 1, imageSlice);
    }
  }

  /** Turn to the conditioned residual, from the solution zero. */
  private void start(Diagonal diagonal) {
    multiply(diagonal.inverse(), residual, conditioned, order);
    multiply(diagonal.elements(), conditioned, image, order);
    System.arraycopy(conditioned, 0, direction, 0, order);
    Arrays.fill(solution, 0);
  }

  private static void multiply(float[] left, float[] right, float[] product, int count) {
    for (int k = 0; k < count; k++) {
      product[k] = left[k] * right[k];
    }
  }

  /** Subtract the effect of a step of a length from the residual, and condition it. */
  private static void shorten(
      float[] residual,
      float length,
      float[] image,
      float[] inverse,
      float[] conditioned,
      int count) {
    for (int k = 0; k < count; k++) {
      float left = residual[k] - length * image[k];
      residual[k] = left;
      conditioned[k] = inverse[k] * left;
    }
  }

  /**
   * Take the step, turn to the conditioned residual plus a part of the last direction, and begin
   * its image.
   */
  private static void step(
      float[] solution,
      float length,
      float[] direction,
      float part,
      float[] conditioned,
      float[] elements,
      float[] image,
      int count) {
    for (int k = 0; k < count; k++) {
      float last = direction[k];
      float next = conditioned[k] + part * last;
      solution[k] += length * last;
      direction[k] = next;
      image[k] = elements[k] * next;
    }
  }

  /** Return how much z lowers the objective: {@code 2 h . z - z . A z = h . z + r . z}. */
  private double explained() {
    double sum = 0;
    for (int k = 0; k < order; k++) {
      sum += ((double) right[k] + residual[k]) * solution[k];
    }
    return sum;
  }
}
