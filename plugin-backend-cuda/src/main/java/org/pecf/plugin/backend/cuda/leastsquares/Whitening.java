package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.Arrays;
import java.util.Optional;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.leastsquares.Eigenvectors;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * Coordinates in which the equations of a background are diagonal, so that a row takes few steps of
 * conjugate gradients and no matrix of its own: the eigenvectors of {@code b V'V}, scaled by {@code
 * (eigenvalue + mean penalty / 2)^-1/2}.
 *
 * @param map the scaled eigenvectors T, one a row: {@code q = T v} and {@code x = T' z}
 * @param factors the factors of the other side in these coordinates
 * @param eigenvalues the eigenvalues
 * @param scales the squares of the scales
 * @param longest the most exceptions of a row that is solved in steps
 */
record Whitening(
    DeviceMatrix map,
    DeviceMatrix factors,
    DeviceMemory eigenvalues,
    DeviceMemory scales,
    int longest) {
  /** The rank below which rows are factorised: that is nearly as cheap. */
  private static final int LEAST_RANK = 32;

  /** The most exceptions, and floats of them, of a row that one block of threads solves. */
  private static final int MOST_EXCEPTIONS = 2048;

  private static final int MOST_FLOATS = 1 << 18;

  /** The shared memory of a block: what every device gives without being asked for more. */
  private static final int SHARED_BYTES = 44 << 10;

  /** The rows of which one may be too long: it is then solved by itself. */
  private static final int FEW = 64;

  /** The vectors that a block keeps in shared memory. */
  private static final int VECTORS = 6;

  /** The steps after which a row is factorised instead. */
  private static final int MOST_STEPS = 40;

  /** The length of the last residual relative to the first step, as on the CPU. */
  private static final float PRECISION = 3e-6f;

  /** Return whether rows of a rank are solved in steps on a device. */
  static boolean serves(Device device, int rank) {
    return rank >= LEAST_RANK && rank <= LaunchGrid.THREADS && device.exactProducts();
  }

  /** Return the bytes that the coordinates take, and the other side in them. */
  static long bytes(Device device, int rank, int others) {
    return serves(device, rank) ? ((long) rank + others + 2) * rank * Float.BYTES : 0;
  }

  /**
   * Find the coordinates on the first stream, which others must wait for.
   *
   * @param gramian {@code b V'V}
   * @param fixed the factors of the other side, V
   * @param lambda the penalties of the rows to solve
   * @param exceptions their exceptions
   * @return nothing where rows are better factorised
   */
  static Optional<Whitening> of(
      Device device,
      Scratch scratch,
      DeviceMemory gramian,
      DeviceMatrix fixed,
      double[] lambda,
      CudaCorrections.SideExceptions exceptions) {
    int rank = fixed.columns();
    double half = Arrays.stream(lambda).filter(one -> one > 0).average().orElse(0) / 2;
    if (!serves(device, rank)
        || half == 0
        || !suits(exceptions, lambda.length, rank, longest(device, rank))) {
      return Optional.empty();
    }
    DeviceStream stream = device.stream(0);
    float[] elements = new float[rank * rank];
    stream.download(gramian, 0, elements, elements.length);
    double[][] matrix = new double[rank][rank];
    for (int a = 0; a < rank; a++) {
      for (int b = 0; b < rank; b++) {
        matrix[a][b] = elements[Math.min(a, b) * rank + Math.max(a, b)];
      }
    }
    return Eigenvectors.of(matrix)
        .map(found -> upload(device, scratch, stream, found, half, fixed));
  }

  /**
   * Return whether rows are solved with fewer instructions in steps than by factorisation, and few
   * of them are too long: for all rows alike, so that bits do not depend on tiles. The numbers are
   * instructions of the kernels, counted for nine steps.
   */
  private static boolean suits(
      CudaCorrections.SideExceptions exceptions, int rows, double rank, int longest) {
    double exception = 20_000 + 140 * rank - 2 * rank * rank;
    return exceptions.between(0, rows) * exception < rows * 840 * rank * rank
        && exceptions.longer(rows, longest) <= (rows + FEW - 1) / FEW;
  }

  private static int longest(Device device, int rank) {
    return Math.min(device.tiles().part(), Math.min(MOST_EXCEPTIONS, MOST_FLOATS / rank));
  }

  private static Whitening upload(
      Device device,
      Scratch scratch,
      DeviceStream stream,
      Eigenvectors found,
      double half,
      DeviceMatrix fixed) {
    int rank = fixed.columns();
    float[] values = new float[rank];
    float[] scales = new float[rank];
    float[] map = new float[rank * rank];
    for (int k = 0; k < rank; k++) {
      // A Gramian has no negative eigenvalues but by rounding.
      double value = Math.max(0, found.values()[k]);
      double scale = 1 / (value + half);
      values[k] = (float) value;
      scales[k] = (float) scale;
      for (int c = 0; c < rank; c++) {
        map[k * rank + c] = (float) (Math.sqrt(scale) * found.vectors()[k][c]);
      }
    }
    DeviceMemory deviceMap = scratch.floats(map.length);
    DeviceMemory deviceValues = scratch.floats(rank);
    DeviceMemory deviceScales = scratch.floats(rank);
    stream.upload(deviceMap, 0, map);
    stream.upload(deviceValues, 0, values);
    stream.upload(deviceScales, 0, scales);
    Whitening whitening =
        new Whitening(
            DeviceMatrix.of(deviceMap.slice(), rank, rank),
            DeviceMatrix.of(scratch.floats((long) fixed.rows() * rank).slice(), fixed.rows(), rank),
            deviceValues,
            deviceScales,
            longest(device, rank));
    whitening.whiten(stream, fixed, whitening.factors);
    return whitening;
  }

  private int rank() {
    return map.rows();
  }

  private void whiten(DeviceStream stream, DeviceMatrix rows, DeviceMatrix target) {
    stream.algebra().multiply(1, rows, map.transpose(), 0, target);
  }

  /**
   * Solve rows in steps. Those that are too long, or take too many steps, are left at zero and have
   * a status that says so.
   *
   * @param systems holds the background's right-hand sides. Modified.
   * @param solved receives the solutions in the rows of the side. Modified.
   */
  void solve(
      DeviceStream stream,
      CudaCorrections.SideExceptions exceptions,
      double[] lambda,
      int first,
      int count,
      RowSystems systems,
      DeviceMemory solved) {
    int rank = rank();
    DeviceMatrix rights = DeviceMatrix.of(systems.rights().slice(), count, rank);
    DeviceMatrix target =
        DeviceMatrix.of(
            solved.slice(FloatMatrix.bytes(first, rank), FloatMatrix.bytes(count, rank)),
            count,
            rank);
    whiten(stream, rights, target);
    int room = SHARED_BYTES / Float.BYTES - VECTORS * rank - longest;
    int capacity = Math.max(0, Math.min(longest, room / rank));
    systems.uploadRidges(stream, lambda, first, count);
    stream.launch(
        "solve_whitened",
        new LaunchGrid(Math.min(count, LaunchGrid.MOST_BLOCKS), 1, (rank + 31) / 32 * 32, 1),
        (VECTORS * rank + longest + capacity * rank) * Float.BYTES,
        exceptions.start(first),
        exceptions.others(),
        exceptions.excess(),
        exceptions.pull(),
        factors.floats(),
        rank,
        eigenvalues,
        scales,
        systems.ridges(),
        target.floats(),
        count,
        capacity,
        longest,
        MOST_STEPS,
        PRECISION,
        systems.rights(),
        systems.products(),
        systems.status());
    stream.algebra().multiply(1, rights, map, 0, target);
  }
}
