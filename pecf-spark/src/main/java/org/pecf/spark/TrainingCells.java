package org.pecf.spark;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.pecf.api.PecfException;
import org.pecf.api.memory.Side;
import org.pecf.backend.field.ScoreTiles;
import org.pecf.backend.leastsquares.GroupedSum;

/** The positives of a training, by user and by item, resident in the executors. */
final class TrainingCells implements AutoCloseable {
  static final String USER = "user";
  static final String ITEM = "item";
  private static final String ROW = "Row";

  /** The groups of items that make a tile of scores, which is not cut. */
  private static final int TILE_GROUPS = ScoreTiles.ITEMS / GroupedSum.GROUP;

  private final GridSide users;
  private final GridSide items;
  private final JavaRDD<int[][]> userSends;
  private final JavaRDD<int[][]> itemSends;
  private final long positives;

  private TrainingCells(GridSide users, GridSide items) {
    this.users = users;
    this.items = items;
    this.userSends = GridSide.sends(users.blocks(), items.blocks(), items.cells());
    this.itemSends = GridSide.sends(items.blocks(), users.blocks(), users.cells());
    this.positives =
        Jobs.collect("positives, by users", users.cells().map(CellBlock::count)).stream()
            .mapToLong(Integer::longValue)
            .sum();
  }

  /**
   * Lay out positives. Rows follow ascending ids.
   *
   * @param positives the columns user and item, whole numbers
   * @param blocks the most blocks of a side
   */
  static TrainingCells of(Dataset<Row> positives, int blocks) {
    Dataset<Row> users = index(positives, USER);
    Dataset<Row> items = index(positives, ITEM);
    Dataset<Row> cells =
        positives
            .join(users, USER)
            .join(items, ITEM)
            .select(USER + ROW, ITEM + ROW)
            .persist(StorageLevel.MEMORY_AND_DISK());
    try {
      int userCount = count(users, Side.USERS);
      int itemCount = count(items, Side.ITEMS);
      if (userCount == 0) {
        throw PecfException.badData(
            "The data has no positives. Check the columns and the rule for positives.");
      }
      GridSide byUser =
          GridSide.of(
              Blocks.of(userCount, groupCells(cells, USER, userCount), blocks, 1), users, cells);
      GridSide byItem =
          GridSide.of(
              Blocks.of(itemCount, groupCells(cells, ITEM, itemCount), blocks, TILE_GROUPS),
              items,
              cells.select(ITEM + ROW, USER + ROW));
      Jobs.compute("ids of users", byUser.ids());
      Jobs.compute("ids of items", byItem.ids());
      Jobs.compute("positives, by items", byItem.cells());
      return new TrainingCells(byUser, byItem);
    } finally {
      cells.unpersist();
      users.unpersist();
      items.unpersist();
    }
  }

  private static Dataset<Row> index(Dataset<Row> positives, String column) {
    JavaRDD<Row> rows =
        positives
            .select(column)
            .distinct()
            .sort(column)
            .toJavaRDD()
            .zipWithIndex()
            .map(row -> RowFactory.create(row._1.getLong(0), Math.toIntExact(row._2)));
    StructType type =
        new StructType()
            .add(column, DataTypes.LongType, false)
            .add(column + ROW, DataTypes.IntegerType, false);
    return positives
        .sparkSession()
        .createDataFrame(rows, type)
        .persist(StorageLevel.MEMORY_AND_DISK());
  }

  private static int count(Dataset<Row> index, Side side) {
    long count = index.count();
    if (count > Integer.MAX_VALUE) {
      throw PecfException.badData(
          "There are %d %s, and at most %d are possible.",
          count, GridSide.rows(side), Integer.MAX_VALUE);
    }
    return (int) count;
  }

  private static long[] groupCells(Dataset<Row> cells, String column, int rows) {
    long[] counts = new long[(rows + GroupedSum.GROUP - 1) / GroupedSum.GROUP];
    List<Row> found =
        cells
            .groupBy(functions.expr(column + ROW + " div " + GroupedSum.GROUP))
            .count()
            .collectAsList();
    for (Row group : found) {
      counts[(int) group.getLong(0)] = group.getLong(1);
    }
    return counts;
  }

  /** Return a side. */
  GridSide side(Side side) {
    return side == Side.USERS ? users : items;
  }

  /** Return the rows that each block of a side sends. */
  JavaRDD<int[][]> sends(Side side) {
    return side == Side.USERS ? userSends : itemSends;
  }

  /** Return the number of positives, each counted once. */
  long positives() {
    return positives;
  }

  /** Return the number of cells, zeros included. */
  double cells() {
    return (double) users.blocks().rows() * items.blocks().rows();
  }

  /** Release the cells; the ids stay, for a model needs them. */
  @Override
  public void close() {
    users.cells().unpersist();
    items.cells().unpersist();
    userSends.unpersist();
    itemSends.unpersist();
  }
}
