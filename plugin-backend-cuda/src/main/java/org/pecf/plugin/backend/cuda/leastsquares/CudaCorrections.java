package org.pecf.plugin.backend.cuda.leastsquares;

import org.pecf.api.memory.Side;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * The exceptions to a background on the device, by user and by item: for each its weight's excess
 * {@code w - b} and its pull {@code w t - b t_b}, the excess on the right-hand side.
 *
 * @param scratch the memory of the exceptions
 * @param byUser the exceptions by user
 * @param byItem the exceptions by item
 * @param count the number of exceptions
 * @param squares {@code sum (w t^2 - b t_b^2)} over the exceptions
 * @param userExcess the sum of excess weights of each user
 * @param itemExcess the sum of excess weights of each item
 */
record CudaCorrections(
    Scratch scratch,
    SideExceptions byUser,
    SideExceptions byItem,
    long count,
    double squares,
    double[] userExcess,
    double[] itemExcess)
    implements AutoCloseable {
  /** The bytes that an exception takes, both sides together. */
  static final long BYTES = 2L * (Integer.BYTES + 2 * Float.BYTES);

  /**
   * The exceptions of all rows of one side, in compressed form.
   *
   * @param rowStarts the start of each row's exceptions, and the end of the last row's
   * @param starts the same on the device
   * @param others rows of the other side
   * @param excess the excess weights
   * @param pull the pulls
   * @param parts the cut of long rows
   */
  record SideExceptions(
      long[] rowStarts,
      DeviceMemory starts,
      DeviceMemory others,
      DeviceMemory excess,
      DeviceMemory pull,
      RowParts parts) {
    /**
     * Allocate exceptions.
     *
     * @param part the exceptions of a row that are added up by one block of threads
     */
    static SideExceptions allocate(Scratch scratch, DeviceStream stream, long[] starts, int part) {
      long count = starts[starts.length - 1];
      SideExceptions side =
          new SideExceptions(
              starts,
              scratch.bytes((long) starts.length * Long.BYTES),
              scratch.ints(count),
              scratch.floats(count),
              scratch.floats(count),
              RowParts.of(scratch, stream, starts, part));
      stream.upload(side.starts, starts);
      return side;
    }

    /** Return the number of exceptions from one row to before another. */
    long between(int first, int end) {
      return rowStarts[end] - rowStarts[first];
    }

    /** Return how many rows have more exceptions than a number. */
    int longer(int rows, int exceptions) {
      int found = 0;
      for (int row = 0; row < rows; row++) {
        found += between(row, row + 1) > exceptions ? 1 : 0;
      }
      return found;
    }

    /** Return the starts from a row on. */
    DeviceSlice start(int row) {
      return starts.from((long) row * Long.BYTES);
    }
  }

  /** Return the exceptions of a side. */
  SideExceptions of(Side side) {
    return side == Side.USERS ? byUser : byItem;
  }

  /** Return the sum of the excess weights of each row of a side. */
  double[] excess(Side side) {
    return side == Side.USERS ? userExcess : itemExcess;
  }

  @Override
  public void close() {
    scratch.close();
  }
}
