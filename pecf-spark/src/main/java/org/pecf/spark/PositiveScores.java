package org.pecf.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.pecf.api.memory.Side;
import scala.Tuple2;

/**
 * The scores of the positives, by user and by item, resident in the executors.
 *
 * @param users the scores of each block of users
 * @param items the scores of each block of items
 */
record PositiveScores(JavaRDD<float[]> users, JavaRDD<float[]> items) {
  /** Compute a member's scores, on both sides. */
  static PositiveScores of(TrainingCells grid, MemberSweeps.Member member, int rank) {
    return new PositiveScores(
        of(grid, member, rank, Side.USERS), of(grid, member, rank, Side.ITEMS));
  }

  private static JavaRDD<float[]> of(
      TrainingCells grid, MemberSweeps.Member member, int rank, Side side) {
    JavaRDD<Tuple2<CellBlock, FactorBlock>> own =
        grid.side(side)
            .cells()
            .zipPartitions(
                member.side(side).blocks(),
                (cells, factors) -> HalfSweep.one(new Tuple2<>(cells.next(), factors.next())));
    JavaRDD<float[]> scores =
        HalfSweep.send(
                member.side(side.other()).blocks(),
                grid.sends(side.other()),
                grid.side(side.other()).blocks(),
                grid.side(side).blocks(),
                rank)
            .zipPartitions(
                own,
                (messages, all) -> HalfSweep.one(HalfSweep.scores(messages, all.next(), rank)));
    scores.persist(StorageLevel.MEMORY_AND_DISK());
    Jobs.compute("scores of positives, by " + GridSide.rows(side), scores);
    return scores;
  }

  /** Return the scores of a side. */
  JavaRDD<float[]> side(Side side) {
    return side == Side.USERS ? users : items;
  }

  /** Mix a new member's scores with these, and release both. */
  PositiveScores joined(PositiveScores member, double alpha) {
    float old = (float) (1 - alpha);
    float part = (float) alpha;
    PositiveScores mixed =
        new PositiveScores(
            mixed(users, member.users, old, part), mixed(items, member.items, old, part));
    release();
    member.release();
    return mixed;
  }

  private static JavaRDD<float[]> mixed(
      JavaRDD<float[]> prediction, JavaRDD<float[]> scores, float old, float part) {
    JavaRDD<float[]> mixed =
        prediction.zipPartitions(
            scores,
            (left, right) -> {
              float[] f = left.next();
              float[] g = right.next();
              float[] sum = new float[f.length];
              for (int p = 0; p < sum.length; p++) {
                sum[p] = old * f[p] + part * g[p];
              }
              return HalfSweep.one(sum);
            });
    mixed.persist(StorageLevel.MEMORY_AND_DISK());
    Jobs.compute("scores of positives, mixed", mixed);
    return mixed;
  }

  /** Release the memory of the executors. */
  void release() {
    users.unpersist();
    items.unpersist();
  }
}
