package org.pecf.plugin.baselines;

import java.util.Objects;
import org.apache.arrow.memory.util.MemoryUtil;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;

/**
 * The positives as seen from one side: the rows are its users or items, and each row has members of
 * the other side. Valid as long as the cells are open.
 */
record Positives(int rows, int others, int cells, long starts, long members) {
  static Positives of(SparseCells cells, Side side) {
    boolean users = side == Side.USERS;
    return new Positives(
        users ? cells.users() : cells.items(),
        users ? cells.items() : cells.users(),
        cells.count(),
        cells.startsAddress(side),
        cells.cellsAddress(side));
  }

  int start(int row) {
    return MemoryUtil.getInt(starts + (long) Objects.checkIndex(row, rows + 1) * Integer.BYTES);
  }

  int member(int position) {
    return MemoryUtil.getInt(members + (long) Objects.checkIndex(position, cells) * Integer.BYTES);
  }

  int count(int row) {
    return start(row + 1) - start(row);
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
