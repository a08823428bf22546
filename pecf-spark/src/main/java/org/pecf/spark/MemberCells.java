package org.pecf.spark;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.pecf.api.memory.Side;

/** The cells of one member's training, by user and by item, resident in the executors. */
final class MemberCells implements AutoCloseable {
  private final double background;
  private final JavaRDD<WeightedBlock> users;
  private final JavaRDD<WeightedBlock> items;
  private final JavaRDD<int[][]> userSends;
  private final JavaRDD<int[][]> itemSends;
  private final List<JavaRDD<?>> owned;

  private MemberCells(
      double background,
      JavaRDD<WeightedBlock> users,
      JavaRDD<WeightedBlock> items,
      JavaRDD<int[][]> userSends,
      JavaRDD<int[][]> itemSends,
      List<JavaRDD<?>> owned) {
    this.background = background;
    this.users = users;
    this.items = items;
    this.userSends = userSends;
    this.itemSends = itemSends;
    this.owned = owned;
  }

  /**
   * Take positives that all weigh the same.
   *
   * @param background the weight of a zero
   */
  static MemberCells plain(Grid grid, double background) {
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
      Grid grid, double background, PositiveScores scores, ScoredBlock.CellFactors factors) {
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
      Grid grid, double background, ScoreScan.Found found, ScoredBlock.CellFactors factors) {
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
  static JavaRDD<ScoredBlock> scored(Grid grid, PositiveScores scores, Side side) {
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

  /** Return the weight of all other cells. */
  double background() {
    return background;
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
