package org.pecf.plugin.backend.cuda.algebra;

import org.pecf.api.PecfException;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.run.Cancellation;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * The kernels of dense matrices.
 *
 * @param cancellation polled between blocks
 * @param device the device
 */
public record CudaMatrixKernels(Cancellation cancellation, Device device) implements MatrixKernels {
  /** The order of the diagonal blocks, each factorised by one block of threads. */
  private static final int BLOCK = 128;

  /** The rows of a product that are computed at once, if memory allows. */
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

  /** Invert by A = U'U block by block, X = U^-1 and A^-1 = X X'. */
  private FloatMatrix invert(Scratch scratch, FloatMatrix matrix) {
    int order = matrix.rows();
    long bytes = FloatMatrix.bytes(order, order);
    DeviceStream stream = device.stream(0);
    DeviceMemory memory = scratch.bytes(bytes);
    DeviceMatrix a = DeviceMatrix.of(memory.slice(), order, order);
    DeviceMatrix x = DeviceMatrix.of(scratch.bytes(bytes).slice(), order, order);
    DeviceMemory status = scratch.ints(1);
    stream.clear(status, 1);
    stream.upload(memory, 0, matrix.rowAddress(0), bytes);
    for (int first = 0; first < order; first += BLOCK) {
      cancellation.check();
      int width = Math.min(BLOCK, order - first);
      int next = first + width;
      int rest = order - next;
      DeviceMatrix diagonal = a.part(first, width, first, width);
      DeviceMatrix right = a.part(first, width, next, rest);
      stream.launch(
          "factor_block",
          LaunchGrid.rows(1),
          0,
          diagonal.floats(),
          (long) order,
          width,
          first,
          status);
      stream.algebra().solveTriangular(diagonal.transpose(), right);
      if (rest > 0) {
        stream.algebra().multiply(-1, right.transpose(), right, 1, a.part(next, rest, next, rest));
      }
    }
    int[] problem = new int[1];
    stream.download(status, 0, problem, 1);
    cancellation.check();
    if (problem[0] != 0) {
      throw PecfException.badOption(
          "A matrix of order %d is not positive definite in single precision (seen at row %d)."
              + " Raise the penalty.",
          order, problem[0]);
    }
    stream.launch("set_identity", LaunchGrid.elements((long) order * order), 0, x.floats(), order);
    stream.algebra().solveTriangular(a, x);
    stream.algebra().multiply(1, x, x.transpose(), 0, a);
    int tiles = (order + 31) / 32;
    stream.launch("mirror_triangle", new LaunchGrid(tiles, tiles, 32, 8), 0, a.floats(), order);
    stream.download(memory, 0, matrix.writable().rowAddress(0), bytes);
    return matrix;
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
    device.stream(0).upload(b, 0, right.rowAddress(0), FloatMatrix.bytes(inner, columns));
    device.stream(0).await();
    device.inTurns(
        (left.rows() + rows - 1) / rows,
        (index, stream) -> {
          cancellation.check();
          int first = index * rows;
          int count = Math.min(rows, left.rows() - first);
          stream.upload(a[index & 1], 0, left.rowAddress(first), FloatMatrix.bytes(count, inner));
          stream
              .algebra()
              .multiply(
                  1,
                  DeviceMatrix.of(a[index & 1].slice(), count, inner),
                  DeviceMatrix.of(b.slice(), inner, columns),
                  0,
                  DeviceMatrix.of(c[index & 1].slice(), count, columns));
        },
        (index, stream) -> {
          int first = index * rows;
          int count = Math.min(rows, left.rows() - first);
          stream.download(
              c[index & 1],
              0,
              product.writable().rowAddress(first),
              FloatMatrix.bytes(count, columns));
        });
    return product;
  }
}
