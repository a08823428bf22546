package org.pecf.spark;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.Partitioner;
import org.pecf.backend.leastsquares.GroupedSum;

/**
 * The division of the rows of one side into blocks, each of which is one partition.
 *
 * <p>A block is a run of groups, see {@link GroupedSum}, so that sums over groups have the same
 * bits however many blocks there are. Rows keep the order of their ids; blocks are cut where they
 * are about equally much work.
 */
final class Blocks implements Serializable {
  private static final long serialVersionUID = 1;

  /** The cells that take the time of the work that a row takes however few cells it has. */
  private static final long CELLS_A_ROW = 32;

  /** The first row of each block, then the number of rows. */
  private final int[] starts;

  private Blocks(int[] starts) {
    this.starts = starts;
  }

  /**
   * Divide rows.
   *
   * @param groupCells the number of cells in each group of rows. Not modified.
   * @param most the most blocks
   * @param unit the number of groups that are not cut
   */
  static Blocks of(int rows, long[] groupCells, int most, int unit) {
    int groups = (groupCells.length + unit - 1) / unit;
    int size = unit * GroupedSum.GROUP;
    int count = Math.max(1, Math.min(most, groups));
    long[] before = new long[groups + 1];
    for (int g = 0; g < groups; g++) {
      before[g + 1] = before[g] + CELLS_A_ROW * Math.min(size, rows - g * size);
      for (int k = g * unit; k < Math.min(groupCells.length, (g + 1) * unit); k++) {
        before[g + 1] += groupCells[k];
      }
    }
    int[] starts = new int[count + 1];
    int group = 0;
    for (int b = 1; b < count; b++) {
      double share = (double) before[groups] * b / count;
      group++;
      while (group < groups - (count - b) && before[group] < share) {
        group++;
      }
      starts[b] = group * size;
    }
    starts[count] = rows;
    return new Blocks(starts);
  }

  /** Return the number of blocks. */
  int count() {
    return starts.length - 1;
  }

  /** Return the number of rows. */
  int rows() {
    return starts[starts.length - 1];
  }

  /** Return the first row of a block. */
  int first(int block) {
    return starts[block];
  }

  /** Return the number of rows of a block. */
  int size(int block) {
    return starts[block + 1] - starts[block];
  }

  /** Return the block of a row. */
  int of(int row) {
    int found = Arrays.binarySearch(starts, row);
    return found >= 0 ? found : -found - 2;
  }

  /** Return the partitioner by number of block. */
  Partitioner partitioner() {
    return new ByBlock(count());
  }

  /** The partitioner whose keys are numbers of blocks. */
  private static final class ByBlock extends Partitioner {
    private static final long serialVersionUID = 1;

    private final int count;

    ByBlock(int count) {
      this.count = count;
    }

    @Override
    public int numPartitions() {
      return count;
    }

    @Override
    public int getPartition(Object key) {
      return (Integer) key;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ByBlock that && that.count == count;
    }

    @Override
    public int hashCode() {
      return count;
    }
  }
}
