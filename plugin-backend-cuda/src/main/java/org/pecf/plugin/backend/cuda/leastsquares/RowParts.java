package org.pecf.plugin.backend.cuda.leastsquares;

import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * A cut of the rows of a side into parts of limited length, each added up by one block of threads:
 * a row of many exceptions does not keep the others waiting. Every row has one part at least.
 *
 * @param firsts the first part of each row, and the number of all parts
 * @param deviceFirsts the same on the device
 * @param deviceRows the row of each part, on the device
 */
record RowParts(int[] firsts, DeviceMemory deviceFirsts, DeviceMemory deviceRows) {
  /**
   * Cut rows.
   *
   * @param starts the start of each row's exceptions, and the end of the last row's
   * @param most the exceptions of a part
   */
  static RowParts of(Scratch scratch, DeviceStream stream, long[] starts, int most) {
    int[] firsts = new int[starts.length];
    for (int row = 0; row + 1 < firsts.length; row++) {
      long exceptions = starts[row + 1] - starts[row];
      long parts = Math.max(1, (exceptions + most - 1) / most);
      firsts[row + 1] = Math.toIntExact(firsts[row] + parts);
    }
    int[] rows = new int[firsts[firsts.length - 1]];
    for (int row = 0; row + 1 < firsts.length; row++) {
      for (int part = firsts[row]; part < firsts[row + 1]; part++) {
        rows[part] = row;
      }
    }
    RowParts parts = new RowParts(firsts, scratch.ints(firsts.length), scratch.ints(rows.length));
    stream.upload(parts.deviceFirsts, firsts);
    stream.upload(parts.deviceRows, rows);
    return parts;
  }

  /** Return the number of parts of some rows. */
  int count(int first, int rows) {
    return firsts[first + rows] - firsts[first];
  }

  /** Return the most parts that a tile of rows has besides the first ones of its rows. */
  int mostFurther(int tile) {
    int most = 0;
    int rows = firsts.length - 1;
    for (int first = 0; first < rows; first += tile) {
      int count = Math.min(tile, rows - first);
      most = Math.max(most, count(first, count) - count);
    }
    return most;
  }

  /** Return the rows of parts, from that of a row on. */
  DeviceSlice rowsFrom(int row) {
    return deviceRows.from((long) firsts[row] * Integer.BYTES);
  }

  /** Return the first parts of rows, from that of a row on. */
  DeviceSlice firstsFrom(int row) {
    return deviceFirsts.from((long) row * Integer.BYTES);
  }
}
