package org.pecf.plugin.backend.cuda.leastsquares;

import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.leastsquares.Penalties;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.Lane;
import org.pecf.plugin.backend.cuda.device.ResidentFactors;
import org.pecf.plugin.backend.cuda.device.Scratch;

/** Solve the rows of one side in tiles that take turns on the two lanes. */
final class HalfSweep {
  /** The most rows of a tile: more do not make products faster. */
  private static final int MOST_ROWS = 4096;

  /** The fewest rows of a tile to try. */
  private static final int LEAST_ROWS = 8;

  private HalfSweep() {}

  /** Make the equations of tiles of rows. */
  interface Assembly {
    /** Allocate what one lane needs for tiles of so many rows. */
    Tile tile(Scratch scratch, Lane lane, int rows, DeviceMemory fixed);

    /** Make the equations of some rows. */
    interface Tile {
      /** Write the equations and right-hand sides of rows from the first on. */
      void assemble(Lane lane, int first, int count, Systems systems);
    }

    /** Return the bytes that a row of a tile takes. */
    long rowBytes();

    /** Return the bytes that a tile takes whatever its rows. */
    long fixedBytes();
  }

  /**
   * Solve one side given the other.
   *
   * @param factors the model; one side is modified
   * @param penalties lambda of every row
   * @return the sum over the rows of {@code b . x}
   */
  static double solve(
      SessionContext context,
      Device device,
      ResidentFactors residents,
      Side side,
      FactorModel factors,
      Penalties penalties,
      Assembly assembly) {
    context.run().cancellation().check();
    int rank = factors.rank();
    int rows = factors.side(side).rows();
    DeviceMemory fixed = residents.load(side.other(), factors);
    DeviceMemory solved = residents.change(side);
    double[] lambda = penalties.of(side);
    double[] explained = new double[rows];
    device.inTiles(
        "the equations of " + rows + " rows at rank " + rank,
        Math.min(rows, MOST_ROWS),
        Math.min(rows, LEAST_ROWS),
        2 * (assembly.fixedBytes() + Systems.fixedBytes(device, rank)),
        2 * (assembly.rowBytes() + Systems.rowBytes(rank)),
        tile ->
            device.inScratch(
                scratch -> {
                  Systems[] systems = new Systems[2];
                  Assembly.Tile[] tiles = new Assembly.Tile[2];
                  for (int turn = 0; turn < 2; turn++) {
                    systems[turn] = new Systems(device, scratch, rank, tile);
                    tiles[turn] = assembly.tile(scratch, device.lane(0), tile, fixed);
                  }
                  device.lane(0).await();
                  device.inTurns(
                      (rows + tile - 1) / tile,
                      (index, lane) -> {
                        int first = index * tile;
                        int count = Math.min(tile, rows - first);
                        tiles[index & 1].assemble(lane, first, count, systems[index & 1]);
                        systems[index & 1].solve(lane, lambda, first, count, solved);
                      },
                      (index, lane) -> {
                        int first = index * tile;
                        int count = Math.min(tile, rows - first);
                        systems[index & 1].finish(
                            lane, side, lambda, first, count, solved, explained);
                      });
                  return tile;
                }));
    residents.store(side, factors);
    double sum = 0;
    for (double product : explained) {
      sum += product;
    }
    return sum;
  }
}
