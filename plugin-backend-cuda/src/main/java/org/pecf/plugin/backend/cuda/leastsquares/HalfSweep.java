package org.pecf.plugin.backend.cuda.leastsquares;

import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.leastsquares.Penalties;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceFactors;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.Scratch;

/** The solution of the rows of one side, in tiles that take turns on the two streams. */
final class HalfSweep {
  /** The fewest rows of a tile to try. */
  private static final int LEAST_ROWS = 8;

  private HalfSweep() {}

  /** A source of the equations of tiles of rows. */
  interface Assembly {
    /** Allocate the memory of one stream for tiles of the given number of rows. */
    Tile tile(Scratch scratch, DeviceStream stream, int rows, DeviceMatrix fixed);

    /** The equations of tiles on one stream. */
    interface Tile {
      /** Write the equations and right-hand sides of rows from the first on. */
      void assemble(DeviceStream stream, int first, int count, RowSystems systems);
    }

    /** Return the bytes that a row of a tile takes. */
    long rowBytes();

    /** Return the bytes that a tile of any size takes. */
    long fixedBytes();
  }

  /**
   * Solve one side given the other.
   *
   * @param factors the model, of which one side is modified
   * @param penalties the penalties lambda of all rows
   * @return the sum over the rows of {@code b . x}
   */
  static double solve(
      SessionContext context,
      Device device,
      DeviceFactors deviceFactors,
      Side side,
      FactorModel factors,
      Penalties penalties,
      Assembly assembly) {
    context.run().cancellation().check();
    int rank = factors.rank();
    int rows = factors.side(side).rows();
    DeviceMatrix fixed =
        DeviceMatrix.of(
            deviceFactors.load(side.other(), factors).slice(),
            factors.side(side.other()).rows(),
            rank);
    DeviceMemory solved = deviceFactors.change(side);
    double[] lambda = penalties.of(side);
    double[] explained = new double[rows];
    int most = Math.min(rows, device.tiles().rows());
    device.inTiles(
        "the equations of " + rows + " rows at rank " + rank,
        most,
        Math.min(most, LEAST_ROWS),
        2 * (assembly.fixedBytes() + RowSystems.fixedBytes(device, rank)),
        2 * (assembly.rowBytes() + RowSystems.rowBytes(rank)),
        tile ->
            device.inScratch(
                scratch -> {
                  RowSystems[] systems = new RowSystems[2];
                  Assembly.Tile[] tiles = new Assembly.Tile[2];
                  for (int turn = 0; turn < 2; turn++) {
                    systems[turn] = new RowSystems(device, scratch, rank, tile);
                    tiles[turn] = assembly.tile(scratch, device.stream(0), tile, fixed);
                  }
                  device.stream(0).await();
                  device.inTurns(
                      (rows + tile - 1) / tile,
                      (index, stream) -> {
                        int first = index * tile;
                        int count = Math.min(tile, rows - first);
                        tiles[index & 1].assemble(stream, first, count, systems[index & 1]);
                        systems[index & 1].solve(stream, lambda, first, count, solved);
                      },
                      (index, stream) -> {
                        int first = index * tile;
                        int count = Math.min(tile, rows - first);
                        systems[index & 1].finish(
                            stream, side, lambda, first, count, solved, explained);
                      });
                  return tile;
                }));
    deviceFactors.store(side, factors);
    double sum = 0;
    for (double product : explained) {
      sum += product;
    }
    return sum;
  }
}
