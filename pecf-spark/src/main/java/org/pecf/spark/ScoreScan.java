package org.pecf.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.Side;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.FoldedSum;
import org.pecf.backend.field.PosteriorValues;
import org.pecf.backend.field.ScoreTiles;
import org.pecf.backend.field.ScoresBeyond;
import org.pecf.backend.leastsquares.GroupedSum;
import scala.Tuple2;

/**
 * The scan of all cells for positives and for zeros whose score is beyond a bound.
 *
 * <p>Panels of items go to every block of users, one after the other, and are scored there tile by
 * tile. The tiles and the order of additions are those of the CPU backend, so that scores have its
 * bits, whatever the blocks.
 */
final class ScoreScan {
  /** The items of a panel. */
  private static final int PANEL = 4 * ScoreTiles.ITEMS;

  private ScoreScan() {}

  /** The rules of a scan. */
  static final class Rules implements Serializable {
    private static final long serialVersionUID = 1;

    private final int rank;
    private final ScoreSteps steps;
    private final float bound;
    private final float nu;
    private final float sigma;
    private final boolean summed;

    /**
     * State the rules.
     *
     * @param bound the absolute score beyond which zeros are found
     * @param function the function of errors
     * @param summed whether its values are summed over all zeros
     */
    Rules(int rank, ScoreSteps steps, float bound, Posterior function, boolean summed) {
      this.rank = rank;
      this.steps = steps;
      this.bound = bound;
      this.nu = function.nu();
      this.sigma = function.sigma();
      this.summed = summed;
    }

    private PosteriorValues function() {
      return new PosteriorValues(new Posterior(nu, sigma, 1));
    }
  }

  /**
   * The cells that a scan found, resident in the executors.
   *
   * @param users the cells by user
   * @param items the cells by item
   * @param zeros the function of errors summed over all zeros, if it is
   * @param kept the memory of the executors that holds the cells
   */
  record Found(
      JavaRDD<ScoredBlock> users, JavaRDD<ScoredBlock> items, double zeros, JavaRDD<?> kept) {
    /** Release the memory of the executors; cells that are asked for again are scanned again. */
    void release() {
      kept.unpersist();
    }
  }

  /** Scan the grid. */
  static Found of(
      TrainingCells grid, JavaRDD<FactorBlock[]> users, JavaRDD<FactorBlock[]> items, Rules rules) {
    Blocks userBlocks = grid.side(Side.USERS).blocks();
    Blocks itemBlocks = grid.side(Side.ITEMS).blocks();
    int destinations = userBlocks.count();
    JavaPairRDD<Integer, ItemPanel> panels =
        JavaPairRDD.fromJavaRDD(items.flatMap(members -> panels(members, rules.rank, destinations)))
            .partitionBy(userBlocks.partitioner());
    JavaRDD<Tuple2<FactorBlock[], CellBlock>> own =
        users.zipPartitions(
            grid.side(Side.USERS).cells(),
            (members, cells) -> HalfSweep.one(new Tuple2<>(members.next(), cells.next())));
    JavaRDD<Tuple2<ScoredBlock, double[]>> scanned =
        panels
            .zipPartitions(
                own,
                (received, all) -> {
                  Tuple2<FactorBlock[], CellBlock> block = all.next();
                  return HalfSweep.one(
                      TaskAlgebra.run(
                          (memory, worker) ->
                              new BlockScan(rules, block._1, block._2)
                                  .run(memory, worker, received)));
                })
            .persist(StorageLevel.MEMORY_AND_DISK());
    double zeros = 0;
    for (double[] groups : Jobs.collect("scan for hard zeros", scanned.map(block -> block._2))) {
      for (double group : groups) {
        zeros += group;
      }
    }
    JavaRDD<ScoredBlock> byUser = scanned.map(block -> block._1);
    JavaRDD<ScoredBlock> byItem =
        JavaPairRDD.fromJavaRDD(
                byUser.flatMap(
                    block -> block.chunks(userBlocks.of(block.cells().first()), itemBlocks)))
            .partitionBy(itemBlocks.partitioner())
            .zipPartitions(
                grid.side(Side.ITEMS).cells(),
                (chunks, cells) -> {
                  List<ScoredChunk> all = new ArrayList<>();
                  chunks.forEachRemaining(chunk -> all.add(chunk._2));
                  return HalfSweep.one(ScoredChunk.join(all, cells.next()));
                });
    return new Found(byUser, byItem, zeros, scanned);
  }

  /** Make the panels of a block of items one by one, as they are sent. */
  private static Iterator<Tuple2<Integer, ItemPanel>> panels(
      FactorBlock[] members, int rank, int destinations) {
    int count = members[0].rows().length / rank;
    int panels = (count + PANEL - 1) / PANEL;
    return IntStream.range(0, panels * destinations)
        .mapToObj(
            index -> {
              int first = index / destinations * PANEL;
              int size = Math.min(PANEL, count - first);
              float[][] rows = new float[members.length][];
              for (int k = 0; k < rows.length; k++) {
                rows[k] =
                    Arrays.copyOfRange(members[k].rows(), first * rank, (first + size) * rank);
              }
              return new Tuple2<>(
                  index % destinations, new ItemPanel(members[0].first() + first, size, rows));
            })
        .iterator();
  }

  /** The scan of one block of users. */
  private static final class BlockScan {
    private final Rules rules;
    private final FactorBlock[] members;
    private final CellBlock positives;
    private final PosteriorValues function;
    private final List<ScoredChunk> chunks = new ArrayList<>();

    /** The sums over the groups of users, by the first item of a tile. */
    private final TreeMap<Integer, double[]> sums = new TreeMap<>();

    private final float[] scores = new float[ScoreTiles.ITEMS];
    private final float[] values = new float[ScoreTiles.ITEMS];
    private final float[] scratch = new float[ScoreTiles.ITEMS / 4];
    private final int[] beyond = new int[ScoreTiles.ITEMS];
    private final ScoresBeyond search;

    BlockScan(Rules rules, FactorBlock[] members, CellBlock positives) {
      this.rules = rules;
      this.members = members;
      this.positives = positives;
      this.function = rules.function();
      this.search = new ScoresBeyond(rules.bound, ScoreTiles.ITEMS);
    }

    Tuple2<ScoredBlock, double[]> run(
        BufferAllocator memory, Worker worker, Iterator<Tuple2<Integer, ItemPanel>> panels) {
      int rank = rules.rank;
      long itemFloats = (long) ScoreTiles.ITEMS * rank;
      try (OffHeapFloats users = OffHeapFloats.allocate(memory, (long) ScoreTiles.USERS * rank);
          OffHeapFloats items = OffHeapFloats.allocate(memory, itemFloats * members.length);
          OffHeapFloats tile =
              OffHeapFloats.allocate(memory, (long) ScoreTiles.USERS * ScoreTiles.ITEMS)) {
        while (panels.hasNext()) {
          ItemPanel panel = panels.next()._2;
          for (int from = 0; from < panel.count(); from += ScoreTiles.ITEMS) {
            int count = Math.min(ScoreTiles.ITEMS, panel.count() - from);
            for (int k = 0; k < members.length; k++) {
              items.write(k * itemFloats, panel.rows(k), from * rank, count * rank);
            }
            scan(worker, users, items, tile, panel.first() + from, count);
          }
        }
      }
      double[] groups = new double[rules.summed ? HalfSweep.groups(positives.rows()) : 0];
      sums.values().forEach(part -> Arrays.setAll(groups, g -> groups[g] + part[g]));
      return new Tuple2<>(ScoredChunk.join(chunks, positives), groups);
    }

    /** Scan the cells of all users of the block and some items. */
    private void scan(
        Worker worker,
        OffHeapFloats users,
        OffHeapFloats items,
        OffHeapFloats tile,
        int firstItem,
        int count) {
      int rank = rules.rank;
      ScoredChunk chunk = new ScoredChunk(firstItem);
      double[] rowSums = new double[positives.rows()];
      for (int first = 0; first < positives.rows(); first += ScoreTiles.USERS) {
        int rows = Math.min(ScoreTiles.USERS, positives.rows() - first);
        MatrixSlice target = MatrixSlice.of(tile.slice(0, (long) rows * count), rows, count);
        for (int k = 0; k < members.length; k++) {
          users.write(0, members[k].rows(), first * rank, rows * rank);
          long at = (long) k * ScoreTiles.ITEMS * rank;
          worker
              .algebra()
              .multiply(
                  rules.steps.coefficient(k),
                  MatrixSlice.of(users.slice(0, (long) rows * rank), rows, rank),
                  MatrixSlice.of(items.slice(at, (long) count * rank), count, rank).transpose(),
                  rules.steps.scale(k),
                  target);
        }
        for (int row = 0; row < rows; row++) {
          tile.read((long) row * count, scores, 0, count);
          rowSums[first + row] = visit(chunk, first + row, firstItem, count);
        }
      }
      chunks.add(chunk.trimmed());
      if (rules.summed) {
        sums.put(firstItem, GroupedSum.groups(rowSums));
      }
    }

    /** Add the cells of a row that are looked for, and return the sum over its zeros. */
    private double visit(ScoredChunk chunk, int row, int firstItem, int count) {
      if (rules.summed) {
        function.of(scores, values, count);
      }
      int user = positives.first() + row;
      int beyondCount = search.list(scores, count, beyond);
      int next = 0;
      int end = positives.start(row + 1);
      for (int p = positives.lowerBound(row, firstItem); p < end; p++) {
        int place = positives.other(p) - firstItem;
        if (place >= count) {
          break;
        }
        for (; next < beyondCount && beyond[next] <= place; next++) {
          if (beyond[next] < place) {
            chunk.add(user, firstItem + beyond[next], scores[beyond[next]]);
          }
        }
        chunk.add(user, firstItem + place, scores[place]);
        values[place] = 0;
      }
      for (; next < beyondCount; next++) {
        chunk.add(user, firstItem + beyond[next], scores[beyond[next]]);
      }
      return rules.summed ? FoldedSum.of(values, scratch, count) : 0;
    }
  }

  /** The factors of some items, member by member, on their way to a block of users. */
  private static final class ItemPanel implements Serializable {
    private static final long serialVersionUID = 1;

    private final int first;
    private final int count;
    private final float[][] rows;

    /**
     * Create a panel.
     *
     * @param first the first item
     * @param count the number of items
     * @param rows the factors by member, row after row
     */
    ItemPanel(int first, int count, float[][] rows) {
      this.first = first;
      this.count = count;
      this.rows = rows;
    }

    /** Return the first item. */
    int first() {
      return first;
    }

    /** Return the number of items. */
    int count() {
      return count;
    }

    /** Return the factors of a member, row after row. */
    float[] rows(int member) {
      return rows[member];
    }
  }
}
