package org.pecf.spark;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.pecf.api.memory.Side;

/**
 * The cells of one member's training, by user and by item, resident in the executors.
 *
 * @param background the weight of all other cells
 * @param users the cells of each block of users
 * @param items the cells of each block of items
 * @param userSends the rows that each block of users sends
 * @param itemSends the rows that each block of items sends
 * @param owned the memory of the executors that is released with the cells
 */
record MemberCells(
    double background,
    JavaRDD<WeightedBlock> users,
    JavaRDD<WeightedBlock> items,
    JavaRDD<int[][]> userSends,
    JavaRDD<int[][]> itemSends,
    List<JavaRDD<?>> owned)
    implements AutoCloseable {
  /**
   * Take positives that all weigh the same.
   *
   * @param background the weight of a zero
   */
  static MemberCells plain(TrainingCells grid, double background) {
    return new MemberCells(
        background,
        grid.side(Side.USERS).cells().map(WeightedBlock::plain),
        grid.side(Side.ITEMS).cells().map(WeightedBlock::plain),
        grid.sends(Side.USERS),
        grid.sends(Side.ITEMS),
        List.of());
  }

  /**
   * Weigh the positives, each by itself.
   *
   * @param scores the prediction of each
   */
  static MemberCells ofPositives(
      TrainingCells grid,
      double background,
      PositiveScores scores,
      ScoredBlock.CellFactors factors) {
    JavaRDD<WeightedBlock> users = weighted(scored(grid, scores, Side.USERS), factors);
    JavaRDD<WeightedBlock> items = weighted(scored(grid, scores, Side.ITEMS), factors);
    return new MemberCells(
        background,
        users,
        items,
        grid.sends(Side.USERS),
        grid.sends(Side.ITEMS),
        List.of(users, items));
  }

  /** Weigh the cells that a scan found, each by itself, and release them. */
  static MemberCells ofScan(
      TrainingCells grid,
      double background,
      ScoreScan.Found found,
      ScoredBlock.CellFactors factors) {
    JavaRDD<WeightedBlock> users = weighted(found.users(), factors);
    JavaRDD<WeightedBlock> items = weighted(found.items(), factors);
    Jobs.compute("weights, by users", users);
    Jobs.compute("weights, by items", items);
    found.release();
    Blocks userBlocks = grid.side(Side.USERS).blocks();
    Blocks itemBlocks = grid.side(Side.ITEMS).blocks();
    JavaRDD<int[][]> userSends =
        GridSide.sends(userBlocks, itemBlocks, items.map(WeightedBlock::cells));
    JavaRDD<int[][]> itemSends =
        GridSide.sends(itemBlocks, userBlocks, users.map(WeightedBlock::cells));
    return new MemberCells(
        background,
        users,
        items,
        userSends,
        itemSends,
        List.of(users, items, userSends, itemSends));
  }

  /** Return the positives of a side with their scores. */
  static JavaRDD<ScoredBlock> scored(TrainingCells grid, PositiveScores scores, Side side) {
    return grid.side(side)
        .cells()
        .zipPartitions(
            scores.side(side),
            (cells, all) -> HalfSweep.one(ScoredBlock.ofPositives(cells.next(), all.next())));
  }

  private static JavaRDD<WeightedBlock> weighted(
      JavaRDD<ScoredBlock> scored, ScoredBlock.CellFactors factors) {
    return scored.map(block -> block.weighted(factors)).persist(StorageLevel.MEMORY_AND_DISK());
  }

  /** Return the cells of a side. */
  JavaRDD<WeightedBlock> side(Side side) {
    return side == Side.USERS ? users : items;
  }

  /** Return the rows that each block of a side sends. */
  JavaRDD<int[][]> sends(Side side) {
    return side == Side.USERS ? userSends : itemSends;
  }

  /** Release the memory of the executors. */
  @Override
  public void close() {
    owned.forEach(JavaRDD::unpersist);
  }
}
