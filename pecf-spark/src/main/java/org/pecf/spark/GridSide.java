package org.pecf.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import org.pecf.api.memory.Side;
import scala.Tuple2;

/**
 * One side of the grid as it lies in the executors: one partition for each block of rows.
 *
 * @param blocks the blocks
 * @param ids the ids of the rows of each block
 * @param cells the cells of each block
 */
record GridSide(Blocks blocks, JavaRDD<long[]> ids, JavaRDD<CellBlock> cells) {
  /**
   * Lay out a side.
   *
   * @param index the id and the row of each row of the side
   * @param rows the cells: the row, and the other row
   */
  static GridSide of(Blocks blocks, Dataset<Row> index, Dataset<Row> rows) {
    JavaRDD<long[]> ids =
        JavaPairRDD.fromJavaRDD(
                index
                    .toJavaRDD()
                    .map(
                        row ->
                            new Tuple2<>(
                                blocks.of(row.getInt(1)),
                                new long[] {row.getInt(1), row.getLong(0)})))
            .partitionBy(blocks.partitioner())
            .mapPartitions(GridSide::inOrder)
            .persist(StorageLevel.MEMORY_AND_DISK());
    JavaRDD<CellBlock> cells =
        JavaPairRDD.fromJavaRDD(rows.toJavaRDD().mapPartitions(part -> chunks(part, blocks)))
            .partitionBy(blocks.partitioner())
            .mapPartitionsWithIndex((block, parts) -> joined(block, parts, blocks), false)
            .persist(StorageLevel.MEMORY_AND_DISK());
    return new GridSide(blocks, ids, cells);
  }

  /** Return the ids of a block in the order of its rows. */
  private static Iterator<long[]> inOrder(Iterator<Tuple2<Integer, long[]>> rows) {
    List<long[]> all = new ArrayList<>();
    rows.forEachRemaining(row -> all.add(row._2));
    all.sort((left, right) -> Long.compare(left[0], right[0]));
    return List.of(all.stream().mapToLong(row -> row[1]).toArray()).iterator();
  }

  /**
   * Sort the cells of a partition by block: few long arrays are quicker to send than many cells.
   */
  private static Iterator<Tuple2<Integer, long[]>> chunks(Iterator<Row> cells, Blocks blocks) {
    long[][] chunks = new long[blocks.count()][16];
    int[] counts = new int[blocks.count()];
    while (cells.hasNext()) {
      Row cell = cells.next();
      int block = blocks.of(cell.getInt(0));
      if (counts[block] == chunks[block].length) {
        chunks[block] = Arrays.copyOf(chunks[block], 2 * counts[block]);
      }
      chunks[block][counts[block]++] = CellBlock.cell(cell.getInt(0), cell.getInt(1));
    }
    List<Tuple2<Integer, long[]>> found = new ArrayList<>();
    for (int block = 0; block < chunks.length; block++) {
      if (counts[block] > 0) {
        found.add(new Tuple2<>(block, Arrays.copyOf(chunks[block], counts[block])));
      }
    }
    return found.iterator();
  }

  private static Iterator<CellBlock> joined(
      int block, Iterator<Tuple2<Integer, long[]>> parts, Blocks blocks) {
    List<long[]> all = new ArrayList<>();
    parts.forEachRemaining(part -> all.add(part._2));
    long[] cells = new long[Math.toIntExact(all.stream().mapToLong(part -> part.length).sum())];
    int at = 0;
    for (long[] part : all) {
      System.arraycopy(part, 0, cells, at, part.length);
      at += part.length;
    }
    return Collections.singleton(CellBlock.of(blocks.first(block), blocks.size(block), cells))
        .iterator();
  }

  /**
   * Return the rows that each block of a side sends: for each block of the other side the places,
   * counted from the start of the block, of the rows that it needs.
   *
   * @param from the blocks that send
   * @param to the blocks of the other side
   * @param cells the cells of those
   */
  static JavaRDD<int[][]> sends(Blocks from, Blocks to, JavaRDD<CellBlock> cells) {
    int destinations = to.count();
    // Not partitioned by its keys yet, though Spark may know a partitioner that looks the same.
    JavaRDD<Tuple2<Integer, Tuple2<Integer, int[]>>> needs =
        cells.mapPartitionsWithIndex(
            (block, all) -> needs(block, all.next().needed(), from), false);
    return JavaPairRDD.fromJavaRDD(needs)
        .partitionBy(from.partitioner())
        .mapPartitions(
            all -> {
              int[][] sends = new int[destinations][0];
              all.forEachRemaining(need -> sends[need._2._1] = need._2._2);
              return Collections.singleton(sends).iterator();
            })
        .persist(StorageLevel.MEMORY_AND_DISK());
  }

  private static Iterator<Tuple2<Integer, Tuple2<Integer, int[]>>> needs(
      int destination, int[] needed, Blocks from) {
    List<Tuple2<Integer, Tuple2<Integer, int[]>>> needs = new ArrayList<>();
    int start = 0;
    for (int block = 0; block < from.count(); block++) {
      int first = from.first(block);
      int end = start;
      while (end < needed.length && needed[end] < first + from.size(block)) {
        end++;
      }
      int[] places = new int[end - start];
      for (int k = 0; k < places.length; k++) {
        places[k] = needed[start + k] - first;
      }
      needs.add(new Tuple2<>(block, new Tuple2<>(destination, places)));
      start = end;
    }
    return needs.iterator();
  }

  /** Return the rows of a side in a word. */
  static String rows(Side side) {
    return side == Side.USERS ? "users" : "items";
  }
}
