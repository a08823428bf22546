package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Arrays;
import org.pecf.plugin.backend.cpu.algebra.DotProduct;
import org.pecf.plugin.backend.cpu.algebra.LinearAlgebra;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;

/**
 * Solve rows by conjugate gradients, to the precision of floats.
 *
 * <p>In whitened coordinates a row's matrix is the identity and a sum over its exceptions, most of
 * its eigenvalues are close to one, and few steps do, each of which passes over the exceptions
 * twice. Steps start from nothing, so that a half-sweep depends on the other side alone. From the
 * last sweep's factors they would be about two fewer, but it takes a product like that of a step to
 * tell how far these are off.
 */
final class ConjugateGradients {
  /**
   * Where to stop: the length of the residual, as a part of that of the first step. Without
   * exceptions below the background no eigenvalue is less than one, so that the solution is off by
   * no more than the residual, and it is longer than the first step. So this bounds its relative
   * error, to what rounding makes in a factorisation.
   */
  private static final float PRECISION = 3e-6f;

  /** How many floats of exceptions are passed over at once, to be in cache the second time. */
  private static final int CACHED = 1 << 15;

  private final LinearAlgebra.Caller algebra;
  private final int order;
  private final int chunk;

  /** What products read and write: the direction, its image, scores of exceptions. */
  private final NativeFloats operands;

  private final long directionAddress;
  private final long imageAddress;
  private final long scoresAddress;
  private final float[] right;
  private final float[] solution;
  private final float[] residual;
  private final float[] direction;
  private final float[] image;
  private int steps;

  ConjugateGradients(Worker worker, int order) {
    this.algebra = worker.algebra();
    this.order = order;
    this.chunk = Math.max(1, CACHED / order);
    operands = worker.offHeap("gradients.operands", 2L * order + chunk);
    directionAddress = operands.address(0);
    imageAddress = operands.address(order);
    scoresAddress = operands.address(2L * order);
    right = worker.heap("gradients.right", order);
    solution = worker.heap("gradients.solution", order);
    residual = worker.heap("gradients.residual", order);
    direction = worker.heap("gradients.direction", order);
    image = worker.heap("gradients.image", order);
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
    NativeFloats.copy(vector, imageAddress, order);
    operands.read(order, right, 0, order);
    System.arraycopy(right, 0, residual, 0, order);
    System.arraycopy(right, 0, direction, 0, order);
    Arrays.fill(solution, 0, order, 0);
    float squares = DotProduct.of(residual, residual, order);
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
      shorten(residual, length, image, order);
      float left = DotProduct.of(residual, residual, order);
      step(solution, length, direction, left / squares, residual, order);
      squares = left;
    }
    operands.write(order, solution, 0, order);
    NativeFloats.copy(imageAddress, vector, order);
    return explained();
  }

  /** Compute the image of the direction p, {@code p + Q' D Q p}. */
  private void multiply(WhitenedRow row) {
    operands.write(0, direction, 0, order);
    operands.write(order, direction, 0, order);
    for (int start = 0; start < row.count(); start += chunk) {
      int end = Math.min(row.count(), start + chunk);
      long rows = row.rows() + (long) start * order * Float.BYTES;
      algebra.project(end - start, order, rows, directionAddress, scoresAddress);
      if (row.uniform()) {
        int above = Math.max(0, Math.min(row.above(), end) - start);
        addRows(above, row.excess()[start], rows, scoresAddress);
        addRows(
            end - start - above,
            row.excess()[end - 1],
            rows + (long) above * order * Float.BYTES,
            scoresAddress + (long) above * Float.BYTES);
      } else {
        for (int k = start; k < end; k++) {
          long at = k - start;
          NativeFloats.put(scoresAddress, at, NativeFloats.at(scoresAddress, at) * row.excess()[k]);
        }
        addRows(end - start, 1, rows, scoresAddress);
      }
    }
    operands.read(order, image, 0, order);
  }

  private void addRows(int count, float scale, long rows, long coefficients) {
    if (count > 0) {
      algebra.addRows(count, order, scale, rows, coefficients, 1, imageAddress);
    }
  }

  /** Take what a step of a length explains off the residual. */
  private static void shorten(float[] residual, float length, float[] image, int count) {
    for (int k = 0; k < count; k++) {
      residual[k] -= length * image[k];
    }
  }

  /** Take the step, and turn: to the residual, and a part of the last direction. */
  private static void step(
      float[] solution, float length, float[] direction, float part, float[] residual, int count) {
    for (int k = 0; k < count; k++) {
      float last = direction[k];
      solution[k] += length * last;
      direction[k] = residual[k] + part * last;
    }
  }

  /** Return what z takes off the objective: {@code 2 h . z - z . A z = h . z + r . z}. */
  private double explained() {
    double sum = 0;
    for (int k = 0; k < order; k++) {
      sum += ((double) right[k] + residual[k]) * solution[k];
    }
    return sum;
  }
}
