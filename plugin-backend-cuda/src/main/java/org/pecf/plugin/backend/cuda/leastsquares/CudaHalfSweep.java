package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.leastsquares.Penalties;
import org.pecf.plugin.backend.cuda.device.CudaFailure;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceFactors;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * The solution of the rows of one side, in tiles that take turns on the two streams. The memory of
 * tiles is kept from one half-sweep to the next, on either side.
 *
 * @param <L> the memory in which one stream assembles equations
 */
final class CudaHalfSweep<L> implements AutoCloseable {
  /** The fewest rows of a tile to try. */
  private static final int LEAST_ROWS = 8;

  private final SessionContext context;
  private final Device device;
  private final int rank;
  private final Penalties penalties;
  private final Assembly<L> assembly;
  private final DeviceFactors deviceFactors;
  private @Nullable Memory<L> memory;

  /** A source of the equations of tiles of rows. */
  interface Assembly<L> {
    /** Allocate the memory of one stream for tiles of up to the given number of rows. */
    L lane(Scratch scratch, int rows);

    /** Return the bytes that a row of a tile takes. */
    long rowBytes();

    /** Return the bytes that a tile of any size takes. */
    long fixedBytes();

    /**
     * Begin a half-sweep.
     *
     * @param scratch the memory of all that the rows have in common, computed on the first stream
     * @param fixed the factors of the other side
     */
    Rows<L> begin(Scratch scratch, Side side, DeviceMatrix fixed);
  }

  /** The equations of the rows of one half-sweep. */
  interface Rows<L> {
    /** Write the equations and right-hand sides of rows from the first on. */
    void assemble(DeviceStream stream, L lane, int first, int count, RowSystems systems);

    /**
     * Solve rows in steps, without equations of their own, if that suits them.
     *
     * @param systems the memory of the tile, with the status of each row in the end. Modified.
     * @param solved receives the solutions in the rows of the side. Modified.
     * @return whether it was done
     */
    default boolean solveInSteps(
        DeviceStream stream,
        double[] lambda,
        int first,
        int count,
        RowSystems systems,
        DeviceMemory solved) {
      return false;
    }
  }

  /** The memory of two tiles, one for each stream. */
  private record Memory<L>(Scratch scratch, int rows, List<RowSystems> systems, List<L> lanes) {}

  /** Allocate the factors of a grid; tiles follow with the first half-sweep. */
  CudaHalfSweep(
      SessionContext context, Device device, int rank, Penalties penalties, Assembly<L> assembly) {
    this.context = context;
    this.device = device;
    this.rank = rank;
    this.penalties = penalties;
    this.assembly = assembly;
    this.deviceFactors =
        new DeviceFactors(device, context.run().parallelism(), context.shape(), rank);
  }

  /**
   * Solve one side given the other.
   *
   * @param factors the model, of which one side is modified
   * @return the sum over the rows of {@code b . x}
   */
  double solve(Side side, FactorModel factors) {
    context.run().cancellation().check();
    int rows = factors.side(side).rows();
    DeviceMatrix fixed =
        DeviceMatrix.of(
            deviceFactors.load(side.other(), factors).slice(),
            factors.side(side.other()).rows(),
            rank);
    DeviceMemory solved = deviceFactors.change(side);
    double[] explained = new double[rows];
    if (!solveInKeptMemory(side, fixed, solved, explained)) {
      GridShape shape = context.shape();
      int most = Math.min(Math.max(shape.users(), shape.items()), device.tiles().rows());
      device.inTiles(
          "the equations of " + rows + " rows at rank " + rank,
          most,
          Math.min(most, LEAST_ROWS),
          2 * (assembly.fixedBytes() + RowSystems.fixedBytes(device, rank)),
          2 * (assembly.rowBytes() + RowSystems.rowBytes(rank)),
          tile -> {
            Memory<L> allocated = allocate(tile);
            solve(allocated, side, fixed, solved, explained);
            return allocated;
          });
    }
    deviceFactors.store(side, factors);
    double sum = 0;
    for (double product : explained) {
      sum += product;
    }
    return sum;
  }

  /** Solve the rows if there is memory for tiles, and enough besides. */
  private boolean solveInKeptMemory(
      Side side, DeviceMatrix fixed, DeviceMemory solved, double[] explained) {
    if (memory == null) {
      return false;
    }
    try {
      solve(memory, side, fixed, solved, explained);
      return true;
    } catch (CudaFailure.OutOfMemory e) {
      release();
      return false;
    }
  }

  private Memory<L> allocate(int rows) {
    release();
    Scratch scratch = new Scratch();
    try {
      List<RowSystems> systems = new ArrayList<>();
      List<L> lanes = new ArrayList<>();
      for (int turn = 0; turn < 2; turn++) {
        systems.add(new RowSystems(device, scratch, rank, rows));
        lanes.add(assembly.lane(scratch, rows));
      }
      Memory<L> allocated = new Memory<>(scratch, rows, systems, lanes);
      memory = allocated;
      return allocated;
    } catch (RuntimeException | Error e) {
      scratch.close();
      throw e;
    }
  }

  private void release() {
    if (memory != null) {
      memory.scratch().close();
      memory = null;
    }
  }

  private void solve(
      Memory<L> tiles, Side side, DeviceMatrix fixed, DeviceMemory solved, double[] explained) {
    int rows = explained.length;
    int tile = tiles.rows();
    double[] lambda = penalties.of(side);
    boolean[] inSteps = new boolean[(rows + tile - 1) / tile];
    device.inScratch(
        scratch -> {
          Rows<L> equations = assembly.begin(scratch, side, fixed);
          device.stream(0).await();
          device.inTurns(
              inSteps.length,
              (index, stream) -> {
                int first = index * tile;
                int count = Math.min(tile, rows - first);
                RowSystems systems = tiles.systems().get(index & 1);
                inSteps[index] =
                    equations.solveInSteps(stream, lambda, first, count, systems, solved);
                if (!inSteps[index]) {
                  equations.assemble(stream, tiles.lanes().get(index & 1), first, count, systems);
                  systems.solve(stream, lambda, first, count, solved);
                }
              },
              (index, stream) -> {
                int first = index * tile;
                int count = Math.min(tile, rows - first);
                RowSystems systems = tiles.systems().get(index & 1);
                if (!inSteps[index]) {
                  systems.finish(stream, side, lambda, first, count, solved, explained);
                  return;
                }
                L lane = tiles.lanes().get(index & 1);
                forEachRun(
                    systems.collect(stream, first, count, explained),
                    (from, some) -> {
                      equations.assemble(stream, lane, first + from, some, systems);
                      systems.solve(stream, lambda, first + from, some, solved);
                      systems.finish(stream, side, lambda, first + from, some, solved, explained);
                    });
              });
          return tiles;
        });
  }

  /** A consumer of consecutive rows. */
  private interface Run {
    void of(int first, int count);
  }

  /** Go through the runs of rows that were missed. */
  private static void forEachRun(boolean[] missed, Run run) {
    for (int first = 0; first < missed.length; first++) {
      int end = first;
      while (end < missed.length && missed[end]) {
        end++;
      }
      if (end > first) {
        run.of(first, end - first);
        first = end;
      }
    }
  }

  @Override
  public void close() {
    release();
    deviceFactors.close();
  }
}
