package org.pecf.spark;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.leastsquares.Gramians;

/**
 * The sums over all cells of products of two members' scores: {@code sum_ij (u_i . v_j) (x_i . y_j)
 * = sum_i u_i (V'Y) x_i}.
 */
final class MemberProducts {
  private static final String DESCRIPTION = "sums of products of members' scores";

  private MemberProducts() {}

  /**
   * Return the sums of the last member and each member.
   *
   * @param items the number of items
   */
  static double[] ofLast(
      JavaSparkContext context,
      JavaRDD<FactorBlock[]> userFactors,
      JavaRDD<FactorBlock[]> itemFactors,
      int rank,
      int items) {
    double[] crossed =
        GroupSums.total(
            Jobs.collect(
                DESCRIPTION,
                itemFactors.map(
                    block ->
                        TaskAlgebra.run(
                            (memory, worker) -> cross(memory, worker, block, rank, items)))));
    Broadcast<double[]> sent = context.broadcast(crossed);
    return GroupSums.ofRows(
        DESCRIPTION,
        userFactors.map(
            block ->
                TaskAlgebra.run(
                    (memory, worker) -> products(memory, worker, block, rank, sent.value()))));
  }

  /** Return {@code V_a' V_k} of the last member k and all members a, group by group. */
  private static GroupSums cross(
      BufferAllocator memory, Worker worker, FactorBlock[] members, int rank, int rows) {
    FactorBlock last = members[members.length - 1];
    int count = last.rows().length / rank;
    int square = rank * rank;
    long floats = (long) Gramians.GROUP * rank;
    try (OffHeapFloats left = OffHeapFloats.allocate(memory, floats);
        OffHeapFloats right = OffHeapFloats.allocate(memory, floats)) {
      int firstGroup = last.first() / Gramians.GROUP;
      return GroupSums.of(
          firstGroup,
          HalfSweep.groups(count),
          HalfSweep.groups(rows),
          number -> {
            int first = (number - firstGroup) * Gramians.GROUP;
            int size = Math.min(Gramians.GROUP, count - first);
            double[] sum = new double[members.length * square];
            right.write(0, last.rows(), first * rank, size * rank);
            for (int a = 0; a < members.length; a++) {
              left.write(0, members[a].rows(), first * rank, size * rank);
              float[] found =
                  Gramians.of(worker)
                      .productOfGroup(
                          MatrixSlice.of(left.slice(0, (long) size * rank), size, rank),
                          MatrixSlice.of(right.slice(0, (long) size * rank), size, rank));
              for (int c = 0; c < square; c++) {
                sum[a * square + c] = found[c];
              }
            }
            return sum;
          });
    }
  }

  /** Return {@code sum_i u_i C x_i} for each member, group by group. */
  private static double[][] products(
      BufferAllocator memory, Worker worker, FactorBlock[] members, int rank, double[] crossed) {
    FactorBlock last = members[members.length - 1];
    int count = last.rows().length / rank;
    int square = rank * rank;
    long floats = (long) Gramians.GROUP * rank;
    double[][] sums = new double[members.length][HalfSweep.groups(count)];
    float[] matrix = new float[square];
    float[] mapped = new float[Gramians.GROUP * rank];
    try (OffHeapFloats rows = OffHeapFloats.allocate(memory, floats);
        OffHeapFloats map = OffHeapFloats.allocate(memory, square);
        OffHeapFloats target = OffHeapFloats.allocate(memory, floats)) {
      for (int a = 0; a < members.length; a++) {
        for (int c = 0; c < square; c++) {
          matrix[c] = (float) crossed[a * square + c];
        }
        map.write(0, matrix, 0, square);
        for (int group = 0; group < sums[a].length; group++) {
          int first = group * Gramians.GROUP;
          int size = Math.min(Gramians.GROUP, count - first);
          rows.write(0, last.rows(), first * rank, size * rank);
          worker
              .algebra()
              .multiply(
                  1,
                  MatrixSlice.of(rows.slice(0, (long) size * rank), size, rank),
                  MatrixSlice.of(map.slice(0, square), rank, rank).transpose(),
                  0,
                  MatrixSlice.of(target.slice(0, (long) size * rank), size, rank));
          target.read(0, mapped, 0, size * rank);
          for (int c = 0; c < size * rank; c++) {
            sums[a][group] += (double) members[a].rows()[first * rank + c] * mapped[c];
          }
        }
      }
    }
    return sums;
  }
}
