package org.pecf.plugin.backend.cuda.leastsquares;

import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.backend.algebra.UnstableRows;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * The normal equations of a tile of rows, solved on the device in single precision or, where they
 * are not positive definite in that, on the host in double precision.
 */
final class RowSystems {
  private final UnstableRows unstableRows;
  private final int rank;
  private final DeviceMemory equations;
  private final DeviceMemory rights;
  private final DeviceMemory ridges;
  private final DeviceMemory products;
  private final DeviceMemory status;
  private final @Nullable DeviceMemory workspace;
  private final int workspaces;

  RowSystems(Device device, Scratch scratch, int rank, int rows) {
    this.unstableRows = device.unstableRows();
    this.rank = rank;
    equations = scratch.floats(rows * stride(rank));
    rights = scratch.floats((long) rows * rank);
    ridges = scratch.floats(rows);
    products = scratch.doubles(rows);
    status = scratch.ints(rows);
    workspaces = inShared(device, rank) ? 0 : workspaces(device);
    workspace = workspaces == 0 ? null : scratch.floats(workspaces * triangle(rank));
  }

  /** Return the floats that the upper triangle of a matrix takes. */
  private static long triangle(int rank) {
    return (long) rank * (rank + 1) / 2;
  }

  /** Return the floats from one packed triangle to the next: {@code triangle_stride}. */
  static long stride(int rank) {
    return (triangle(rank) + 31) / 32 * 32;
  }

  /** Return the bytes that a row takes. */
  static long rowBytes(int rank) {
    return (stride(rank) + rank + 1) * Float.BYTES + Double.BYTES + Integer.BYTES;
  }

  /** Return the bytes that any number of rows takes. */
  static long fixedBytes(Device device, int rank) {
    return inShared(device, rank) ? 0 : workspaces(device) * triangle(rank) * Float.BYTES;
  }

  private static boolean inShared(Device device, int rank) {
    return sharedBytes(rank) <= device.sharedBytes();
  }

  private static long sharedBytes(int rank) {
    return (triangle(rank) + 2L * rank) * Float.BYTES;
  }

  private static int workspaces(Device device) {
    return 4 * device.description().multiprocessors();
  }

  /** Return the packed equations. */
  DeviceMemory equations() {
    return equations;
  }

  /** Return the right-hand sides. */
  DeviceMemory rights() {
    return rights;
  }

  /** Return the ridges of the rows. */
  DeviceMemory ridges() {
    return ridges;
  }

  /** Return the amount by which each row lowers the objective. */
  DeviceMemory products() {
    return products;
  }

  /** Return whether each row is solved: 0 if so. */
  DeviceMemory status() {
    return status;
  }

  /** Upload half the penalties of some rows. */
  void uploadRidges(DeviceStream stream, double[] lambda, int first, int count) {
    float[] halves = new float[count];
    for (int r = 0; r < count; r++) {
      halves[r] = (float) (lambda[first + r] / 2);
    }
    stream.upload(ridges, 0, halves);
  }

  /**
   * Solve the systems of some rows.
   *
   * @param lambda the penalties of all rows of the side. Not modified.
   * @param solved receives the solutions in the rows of the side. Modified.
   */
  void solve(DeviceStream stream, double[] lambda, int first, int count, DeviceMemory solved) {
    uploadRidges(stream, lambda, first, count);
    boolean shared = workspace == null;
    stream.launch(
        "solve_cholesky",
        LaunchGrid.rows(shared ? count : Math.min(count, workspaces)),
        shared ? (int) sharedBytes(rank) : 2 * rank * Float.BYTES,
        equations,
        ridges,
        rights,
        count,
        rank,
        workspace == null ? DeviceSlice.NONE : workspace.slice(),
        solved.slice(FloatMatrix.bytes(first, rank), FloatMatrix.bytes(count, rank)),
        products,
        status);
  }

  /**
   * Wait for the solutions of some rows, and solve again those that failed.
   *
   * @param explained receives {@code b . x} of each row of the side. Modified.
   */
  void finish(
      DeviceStream stream,
      Side side,
      double[] lambda,
      int first,
      int count,
      DeviceMemory solved,
      double[] explained) {
    boolean[] missed = collect(stream, first, count, explained);
    for (int r = 0; r < count; r++) {
      if (missed[r]) {
        explained[first + r] = solveAgain(stream, side, lambda, first, r, solved);
      }
    }
  }

  /**
   * Wait for the solutions of some rows.
   *
   * @param explained receives the amount by which each row of the side lowers the objective.
   *     Modified.
   * @return whether each of the rows is yet to be solved
   */
  boolean[] collect(DeviceStream stream, int first, int count, double[] explained) {
    double[] found = new double[count];
    int[] problems = new int[count];
    stream.download(products, found);
    stream.download(status, 0, problems, count);
    boolean[] missed = new boolean[count];
    for (int r = 0; r < count; r++) {
      explained[first + r] = found[r];
      missed[r] = problems[r] != 0;
    }
    return missed;
  }

  private double solveAgain(
      DeviceStream stream, Side side, double[] lambda, int first, int r, DeviceMemory solved) {
    int row = first + r;
    float[] packed = new float[Math.toIntExact(triangle(rank))];
    float[] right = new float[rank];
    stream.download(equations, r * stride(rank) * Float.BYTES, packed, packed.length);
    stream.download(rights, FloatMatrix.bytes(r, rank), right, rank);
    float[] solution = new float[rank];
    double product =
        unstableRows.solve(
            side,
            row,
            rank,
            (i, j) -> packed[j * rank - j * (j - 1) / 2 + i - j] + (i == j ? lambda[row] / 2 : 0),
            k -> right[k],
            (k, x) -> solution[k] = x);
    stream.upload(solved, FloatMatrix.bytes(row, rank), solution);
    stream.await();
    return product;
  }
}
