package org.pecf.plugin.backend.cuda.algebra;

import org.pecf.api.PecfException;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.run.Cancellation;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.Lane;
import org.pecf.plugin.backend.cuda.device.Lane.Grid;
import org.pecf.plugin.backend.cuda.device.Lane.Operand;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * Compute with dense matrices on the device.
 *
 * @param cancellation polled between blocks
 * @param device the device
 */
public record CudaMatrixKernels(Cancellation cancellation, Device device) implements MatrixKernels {
  /** The order of the diagonal blocks that one block of threads factors. */
  private static final int BLOCK = 128;

  /** How many rows of a product are computed at once, if memory allows. */
  private static final int ROWS = 1 << 14;

  @Override
  public void invert(FloatMatrix matrix) {
    int order = matrix.rows();
    if (matrix.columns() != order) {
      throw new IllegalArgumentException(
          "a matrix of " + order + " x " + matrix.columns() + " has no inverse");
    }
    cancellation.check();
    long bytes = FloatMatrix.bytes(order, order);
    device.inTiles(
        "inverting a matrix of order " + order,
        1,
        1,
        2 * bytes,
        0,
        once -> device.inScratch(scratch -> invert(scratch, matrix)));
  }

  /** A = U'U by blocks, X = U^-1, A^-1 = X X'. */
  private FloatMatrix invert(Scratch scratch, FloatMatrix matrix) {
    int order = matrix.rows();
    long bytes = FloatMatrix.bytes(order, order);
    Lane lane = device.lane(0);
    DeviceMemory a = scratch.bytes(bytes);
    DeviceMemory x = scratch.bytes(bytes);
    DeviceMemory status = scratch.ints(1);
    lane.clear(status, 1);
    lane.upload(a, 0, matrix.buffer().memoryAddress(), bytes);
    for (int first = 0; first < order; first += BLOCK) {
      cancellation.check();
      int width = Math.min(BLOCK, order - first);
      int rest = order - first - width;
      Operand diagonal = at(a, order, first, first);
      Operand right = at(a, order, first, first + width);
      lane.launch(
          "factor_block",
          Grid.rows(1),
          0,
          diagonal.address(),
          (long) order,
          width,
          first,
          status.address());
      lane.solveTriangular(true, width, rest, diagonal, right);
      if (rest > 0) {
        lane.multiply(
            true,
            false,
            rest,
            rest,
            width,
            -1,
            right,
            right,
            1,
            at(a, order, first + width, first + width));
      }
    }
    int[] problem = new int[1];
    lane.download(status, 0, problem, 1);
    cancellation.check();
    if (problem[0] != 0) {
      throw PecfException.badOption(
          "A matrix of order %s is not positive definite in single precision (seen at row %s)."
              + " Raise the penalty.",
          order, problem[0]);
    }
    lane.launch("set_identity", Grid.elements((long) order * order), 0, x.address(), order);
    lane.solveTriangular(false, order, order, at(a, order, 0, 0), at(x, order, 0, 0));
    lane.multiply(
        false,
        true,
        order,
        order,
        order,
        1,
        at(x, order, 0, 0),
        at(x, order, 0, 0),
        0,
        at(a, order, 0, 0));
    int tiles = (order + 31) / 32;
    lane.launch("mirror_triangle", new Grid(tiles, tiles, 32, 8), 0, a.address(), order);
    lane.download(a, 0, matrix.buffer().memoryAddress(), bytes);
    return matrix;
  }

  private static Operand at(DeviceMemory matrix, int order, int row, int column) {
    return new Operand(
        matrix.address(FloatMatrix.bytes(row, order) + (long) column * Float.BYTES), order);
  }

  @Override
  public void multiply(FloatMatrix left, FloatMatrix right, FloatMatrix product) {
    if (left.columns() != right.rows()
        || left.rows() != product.rows()
        || right.columns() != product.columns()) {
      throw new IllegalArgumentException("matrices of these orders have no product");
    }
    cancellation.check();
    if (product.rows() == 0 || product.columns() == 0) {
      return;
    }
    long rowBytes = 2 * FloatMatrix.bytes(1, left.columns() + right.columns());
    device.inTiles(
        "a product of " + left.rows() + " x " + right.columns(),
        Math.min(ROWS, left.rows()),
        1,
        FloatMatrix.bytes(right.rows(), right.columns()),
        rowBytes,
        rows -> device.inScratch(scratch -> multiply(scratch, left, right, product, rows)));
  }

  private FloatMatrix multiply(
      Scratch scratch, FloatMatrix left, FloatMatrix right, FloatMatrix product, int rows) {
    int inner = left.columns();
    int columns = right.columns();
    DeviceMemory b = scratch.bytes(FloatMatrix.bytes(inner, columns));
    DeviceMemory[] a = {
      scratch.bytes(FloatMatrix.bytes(rows, inner)), scratch.bytes(FloatMatrix.bytes(rows, inner))
    };
    DeviceMemory[] c = {
      scratch.bytes(FloatMatrix.bytes(rows, columns)),
      scratch.bytes(FloatMatrix.bytes(rows, columns))
    };
    device.lane(0).upload(b, 0, right.buffer().memoryAddress(), FloatMatrix.bytes(inner, columns));
    device.lane(0).await();
    device.inTurns(
        (left.rows() + rows - 1) / rows,
        (index, lane) -> {
          cancellation.check();
          int first = index * rows;
          int count = Math.min(rows, left.rows() - first);
          lane.upload(a[index & 1], 0, left.rowAddress(first), FloatMatrix.bytes(count, inner));
          lane.multiply(
              false,
              false,
              count,
              columns,
              inner,
              1,
              new Operand(a[index & 1].address(), Math.max(1, inner)),
              new Operand(b.address(), columns),
              0,
              new Operand(c[index & 1].address(), columns));
        },
        (index, lane) -> {
          int first = index * rows;
          int count = Math.min(rows, left.rows() - first);
          lane.download(
              c[index & 1], 0, product.rowAddress(first), FloatMatrix.bytes(count, columns));
        });
    return product;
  }
}
