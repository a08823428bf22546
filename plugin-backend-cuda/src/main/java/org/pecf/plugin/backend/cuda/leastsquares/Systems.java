package org.pecf.plugin.backend.cuda.leastsquares;

import org.pecf.api.PecfException;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.Lane;
import org.pecf.plugin.backend.cuda.device.Lane.Grid;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * Hold the normal equations of a tile of rows, and solve them: on the device in single precision,
 * and where that finds them not positive definite, on the host in double precision.
 */
final class Systems {
  private final int rank;
  private final DeviceMemory equations;
  private final DeviceMemory rights;
  private final DeviceMemory ridges;
  private final DeviceMemory products;
  private final DeviceMemory status;
  private final DeviceMemory workspace;
  private final int workspaces;

  Systems(Device device, Scratch scratch, int rank, int rows) {
    this.rank = rank;
    equations = scratch.floats(rows * triangle(rank));
    rights = scratch.floats((long) rows * rank);
    ridges = scratch.floats(rows);
    products = scratch.doubles(rows);
    status = scratch.ints(rows);
    workspaces = inShared(device, rank) ? 0 : workspaces(device);
    workspace = workspaces == 0 ? null : scratch.floats(workspaces * triangle(rank));
  }

  /** Return how many floats the upper triangle of a matrix takes. */
  static long triangle(int rank) {
    return (long) rank * (rank + 1) / 2;
  }

  /** Return the bytes that a row takes. */
  static long rowBytes(int rank) {
    return (triangle(rank) + rank + 1) * Float.BYTES + Double.BYTES + Integer.BYTES;
  }

  /** Return the bytes that are taken whatever the number of rows. */
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

  /** Return the address of the packed equations. */
  long equations() {
    return equations.address();
  }

  /** Return the right-hand sides. */
  DeviceMemory rights() {
    return rights;
  }

  /**
   * Solve the systems of some rows.
   *
   * @param lambda the penalties of all rows of the side. Not modified.
   * @param solved receives the solutions in the rows of the side. Modified.
   */
  void solve(Lane lane, double[] lambda, int first, int count, DeviceMemory solved) {
    float[] halves = new float[count];
    for (int r = 0; r < count; r++) {
      halves[r] = (float) (lambda[first + r] / 2);
    }
    lane.upload(ridges, 0, halves);
    boolean shared = workspace == null;
    lane.launch(
        "solve_cholesky",
        Grid.rows(shared ? count : Math.min(count, workspaces)),
        shared ? (int) sharedBytes(rank) : 2 * rank * Float.BYTES,
        equations.address(),
        ridges.address(),
        rights.address(),
        count,
        rank,
        shared ? 0L : workspace.address(),
        solved.address(FloatMatrix.bytes(first, rank)),
        products.address(),
        status.address());
  }

  /**
   * Wait for the solutions of some rows, and solve those again that could not be solved.
   *
   * @param explained receives {@code b . x} of each row of the side. Modified.
   */
  void finish(
      Lane lane,
      Side side,
      double[] lambda,
      int first,
      int count,
      DeviceMemory solved,
      double[] explained) {
    double[] found = new double[count];
    int[] problems = new int[count];
    lane.download(products, found);
    lane.download(status, 0, problems, count);
    for (int r = 0; r < count; r++) {
      explained[first + r] =
          problems[r] == 0 ? found[r] : solveAgain(lane, side, lambda, first, r, solved);
    }
  }

  private double solveAgain(
      Lane lane, Side side, double[] lambda, int first, int r, DeviceMemory solved) {
    int row = first + r;
    float[] packed = new float[Math.toIntExact(triangle(rank))];
    float[] right = new float[rank];
    lane.download(equations, r * triangle(rank) * Float.BYTES, packed, packed.length);
    lane.download(rights, FloatMatrix.bytes(r, rank), right, rank);
    float[] solution = new float[rank];
    double product = 0;
    boolean definite = solveInDouble(packed, lambda[row] / 2, right, solution);
    for (int k = 0; k < rank; k++) {
      product += (double) right[k] * solution[k];
    }
    if (!definite || !Double.isFinite(product)) {
      throw PecfException.badOption(
          "The equations of %s%s have no stable solution: the penalty is too small for these"
              + " weights. Raise --lambda.",
          (side == Side.USERS ? "user " : "item "), row);
    }
    lane.upload(solved, FloatMatrix.bytes(row, rank), solution);
    lane.await();
    return product;
  }

  /** Solve by Cholesky factorisation; return whether the matrix is positive definite. */
  private static boolean solveInDouble(
      float[] packed, double ridge, float[] right, float[] solution) {
    int order = right.length;
    double[][] factor = new double[order][order];
    for (int i = 0; i < order; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = packed[j * order - j * (j - 1) / 2 + i - j] + (i == j ? ridge : 0);
        for (int k = 0; k < j; k++) {
          sum -= factor[i][k] * factor[j][k];
        }
        if (i > j) {
          factor[i][j] = sum / factor[j][j];
        } else if (sum > 0) {
          factor[i][i] = Math.sqrt(sum);
        } else {
          return false;
        }
      }
    }
    double[] x = new double[order];
    for (int i = 0; i < order; i++) {
      double sum = right[i];
      for (int k = 0; k < i; k++) {
        sum -= factor[i][k] * x[k];
      }
      x[i] = sum / factor[i][i];
    }
    for (int i = order - 1; i >= 0; i--) {
      double sum = x[i];
      for (int k = i + 1; k < order; k++) {
        sum -= factor[k][i] * x[k];
      }
      x[i] = sum / factor[i][i];
      solution[i] = (float) x[i];
    }
    return true;
  }
}
