package org.pecf.plugin.baselines;

import java.nio.ByteOrder;
import java.nio.IntBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;

/**
 * The positives as seen from one side: the rows are its users or items, and each row has members of
 * the other side. Valid as long as the cells are open.
 */
record Positives(int rows, int others, IntBuffer starts, IntBuffer members) {
  static Positives of(SparseCells cells, Side side) {
    return side == Side.USERS
        ? new Positives(
            cells.users(),
            cells.items(),
            ints(cells.userStarts(), cells.users() + 1),
            ints(cells.itemsByUser(), cells.count()))
        : new Positives(
            cells.items(),
            cells.users(),
            ints(cells.itemStarts(), cells.items() + 1),
            ints(cells.usersByItem(), cells.count()));
  }

  private static IntBuffer ints(ArrowBuf buffer, int count) {
    return buffer
        .nioBuffer(0, Math.multiplyExact(count, Integer.BYTES))
        .order(ByteOrder.nativeOrder())
        .asIntBuffer();
  }

  int start(int row) {
    return starts.get(row);
  }

  int member(int position) {
    return members.get(position);
  }

  int count(int row) {
    return starts.get(row + 1) - starts.get(row);
  }

  /** Return the number of members of each row to the given power; zero for rows without any. */
  double[] powers(double exponent) {
    double[] powers = new double[rows];
    for (int row = 0; row < rows; row++) {
      powers[row] = count(row) == 0 ? 0 : Math.pow(count(row), exponent);
    }
    return powers;
  }
}
