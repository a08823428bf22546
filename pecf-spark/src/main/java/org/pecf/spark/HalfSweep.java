package org.pecf.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.algebra.DotProduct;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.leastsquares.CorrectedRows;
import org.pecf.backend.leastsquares.EquationBasis;
import org.pecf.backend.leastsquares.ExcessLevels;
import org.pecf.backend.leastsquares.Gramians;
import org.pecf.backend.leastsquares.RightSides;
import org.pecf.backend.leastsquares.SharedEquations;
import org.pecf.backend.leastsquares.SideExceptions;
import scala.Tuple2;

/**
 * The work of blocks in a half-sweep.
 *
 * <p>A block whitens its rows where they are and sends each other block those it needs, and no
 * others; that block solves its rows from them. The kernels and the grouping of rows are those of
 * the CPU backend, so that the bits are, too.
 */
final class HalfSweep {
  private HalfSweep() {}

  /**
   * Solve one side from the other: one job.
   *
   * @param description the description of the job
   * @param fixed the factors of the other side
   * @param sends the rows that each of their blocks sends
   * @param cells the cells of the side's blocks
   * @param checkpoint whether the solved rows are written to the checkpoint folder
   */
  static Factors solve(
      JavaSparkContext context,
      String description,
      SideProblem problem,
      Factors fixed,
      JavaRDD<int[][]> sends,
      JavaRDD<WeightedBlock> cells,
      Blocks from,
      Blocks to,
      boolean checkpoint) {
    EquationBasis basis =
        TaskAlgebra.run(
            (memory, worker) ->
                EquationBasis.of(
                    memory,
                    worker,
                    problem.rank(),
                    fixed.triangle(),
                    problem.background(),
                    problem.lambda()));
    Broadcast<EquationBasis> sent = context.broadcast(basis);
    JavaRDD<FactorBlock> solved =
        sendWhitened(fixed.blocks(), sends, from, to, sent)
            .zipPartitions(
                cells, (received, own) -> one(solve(received, own.next(), sent.value(), problem)));
    return Factors.of(description, solved, problem.rank(), to.rows(), checkpoint);
  }

  /**
   * Send rows as they are.
   *
   * @param factors the blocks that send
   * @param sends the rows that each sends, by receiving block
   * @param to the blocks that receive
   */
  static JavaPairRDD<Integer, RowMessage> send(
      JavaRDD<FactorBlock> factors, JavaRDD<int[][]> sends, Blocks from, Blocks to, int rank) {
    return JavaPairRDD.fromJavaRDD(
            factors.zipPartitions(
                sends,
                (blocks, places) -> {
                  FactorBlock block = blocks.next();
                  return messages(from.of(block.first()), block.rows(), rank, places.next());
                }))
        .partitionBy(to.partitioner());
  }

  /** Send rows in the coordinates of shared equations, see {@link #send}. */
  private static JavaPairRDD<Integer, RowMessage> sendWhitened(
      JavaRDD<FactorBlock> factors,
      JavaRDD<int[][]> sends,
      Blocks from,
      Blocks to,
      Broadcast<EquationBasis> basis) {
    return JavaPairRDD.fromJavaRDD(
            factors.zipPartitions(
                sends,
                (blocks, places) -> {
                  FactorBlock block = blocks.next();
                  float[] rows = whitened(block, basis.value());
                  return messages(
                      from.of(block.first()), rows, basis.value().rank(), places.next());
                }))
        .partitionBy(to.partitioner());
  }

  /** Make the messages of a block one by one, as they are sent. */
  private static Iterator<Tuple2<Integer, RowMessage>> messages(
      int source, float[] rows, int rank, int[][] places) {
    return IntStream.range(0, places.length)
        .filter(to -> places[to].length > 0)
        .mapToObj(
            to -> {
              float[] sent = new float[places[to].length * rank];
              for (int k = 0; k < places[to].length; k++) {
                System.arraycopy(rows, places[to][k] * rank, sent, k * rank, rank);
              }
              return new Tuple2<>(to, new RowMessage(source, sent));
            })
        .iterator();
  }

  /** Return the rows of a block in the coordinates of shared equations, if these have any. */
  static float[] whitened(FactorBlock block, EquationBasis basis) {
    return basis.whitens()
        ? TaskAlgebra.run((memory, worker) -> whiten(memory, worker, block, basis))
        : block.rows();
  }

  /** Return the rows of a block in other coordinates, without the padding. */
  private static float[] whiten(
      BufferAllocator memory, Worker worker, FactorBlock block, EquationBasis basis) {
    int rank = basis.rank();
    int width = basis.width();
    int rows = block.rows().length / rank;
    float[] whitened = new float[block.rows().length];
    float[] wide = new float[Gramians.GROUP * width];
    try (SharedEquations shared = new SharedEquations(memory, basis);
        OffHeapFloats source = OffHeapFloats.allocate(memory, (long) Gramians.GROUP * rank);
        OffHeapFloats target = OffHeapFloats.allocate(memory, (long) Gramians.GROUP * width)) {
      for (int first = 0; first < rows; first += Gramians.GROUP) {
        int count = Math.min(Gramians.GROUP, rows - first);
        source.write(0, block.rows(), first * rank, count * rank);
        shared.whitenGroup(
            worker,
            MatrixSlice.of(source.slice(0, (long) count * rank), count, rank),
            target.slice(0, (long) count * width));
        target.read(0, wide, 0, count * width);
        for (int k = 0; k < count; k++) {
          System.arraycopy(wide, k * width, whitened, (first + k) * rank, rank);
        }
      }
    }
    return whitened;
  }

  /** Return the rows that a block received, in the order of the rows that it needs. */
  private static List<RowMessage> inOrder(Iterator<Tuple2<Integer, RowMessage>> messages) {
    List<RowMessage> all = new ArrayList<>();
    messages.forEachRemaining(message -> all.add(message._2));
    all.sort(Comparator.comparingInt(RowMessage::source));
    return all;
  }

  /**
   * Solve the rows of a block.
   *
   * @param block the block's cells and their weights
   */
  static FactorBlock solve(
      Iterator<Tuple2<Integer, RowMessage>> messages,
      WeightedBlock block,
      EquationBasis basis,
      SideProblem problem) {
    List<RowMessage> received = inOrder(messages);
    return TaskAlgebra.run(
        (memory, worker) -> solve(memory, worker, received, block, basis, problem));
  }

  private static FactorBlock solve(
      BufferAllocator memory,
      Worker worker,
      List<RowMessage> received,
      WeightedBlock block,
      EquationBasis basis,
      SideProblem problem) {
    CellBlock cells = block.cells();
    int rank = problem.rank();
    double[] lambda = problem.penalties(block);
    long floats = (long) cells.needed().length * basis.width();
    try (SharedEquations shared = new SharedEquations(memory, basis);
        OffHeapFloats others = OffHeapFloats.allocate(memory, floats);
        SideExceptions exceptions = exceptions(memory, block, problem);
        FloatMatrix solved = FloatMatrix.allocate(memory, cells.rows(), rank)) {
      FloatSlice slice = others.slice(0, floats);
      slice.clear();
      long at = 0;
      for (RowMessage message : received) {
        int count = message.rows().length / rank;
        for (int k = 0; k < count; k++, at += basis.width()) {
          others.write(at, message.rows(), k * rank, rank);
        }
      }
      CorrectedRows rows =
          new CorrectedRows(
              problem.side(), exceptions, shared, RightSides.ZERO, slice, solved, lambda);
      double explained = 0;
      for (int task = 0; task < rows.tasks(); task++) {
        explained += rows.solve(worker, task);
      }
      float[] factors = new float[cells.rows() * rank];
      solved.readRows(0, cells.rows(), factors);
      return new FactorBlock(cells.first(), factors, explained, penalty(factors, lambda, rank));
    }
  }

  /** Return the sum of the penalties of rows. */
  static double penalty(float[] factors, double[] lambda, int rank) {
    double penalty = 0;
    for (int row = 0; row < lambda.length; row++) {
      double squares = 0;
      for (int k = row * rank; k < (row + 1) * rank; k++) {
        squares += (double) factors[k] * factors[k];
      }
      penalty += lambda[row] / 2 * squares;
    }
    return penalty;
  }

  private static SideExceptions exceptions(
      BufferAllocator memory, WeightedBlock block, SideProblem problem) {
    CellBlock cells = block.cells();
    long[] starts = new long[cells.rows() + 1];
    int[] aboves = new int[cells.rows()];
    for (int row = 0; row < cells.rows(); row++) {
      starts[row + 1] = cells.start(row + 1);
      for (int p = cells.start(row); p < cells.start(row + 1); p++) {
        aboves[row] += problem.excess(problem.weight(block, p)) >= 0 ? 1 : 0;
      }
    }
    float same = block.isPlain() ? problem.excess(problem.weight(block, 0)) : 0;
    ExcessLevels levels = same == 0 ? ExcessLevels.different() : new ExcessLevels(true, same, same);
    SideExceptions exceptions = new SideExceptions(memory, starts, aboves, levels);
    for (int row = 0; row < cells.rows(); row++) {
      long above = starts[row];
      long below = above + aboves[row];
      for (int p = cells.start(row); p < cells.start(row + 1); p++) {
        float excess = problem.excess(problem.weight(block, p));
        float scale = levels.scale(excess);
        float pull = problem.pull(block, p) / scale;
        exceptions.set(excess >= 0 ? above++ : below++, cells.place(p), scale, pull);
      }
    }
    return exceptions;
  }

  /**
   * Return the score of each cell of a block.
   *
   * @param own the block's cells and factors
   */
  static float[] scores(
      Iterator<Tuple2<Integer, RowMessage>> messages,
      Tuple2<CellBlock, FactorBlock> own,
      int rank) {
    List<RowMessage> received = inOrder(messages);
    CellBlock cells = own._1;
    float[] others = new float[cells.needed().length * rank];
    int at = 0;
    for (RowMessage message : received) {
      System.arraycopy(message.rows(), 0, others, at, message.rows().length);
      at += message.rows().length;
    }
    float[] scores = new float[cells.count()];
    float[] right = new float[rank];
    for (int row = 0; row < cells.rows(); row++) {
      float[] left = Arrays.copyOfRange(own._2.rows(), row * rank, (row + 1) * rank);
      for (int p = cells.start(row); p < cells.start(row + 1); p++) {
        System.arraycopy(others, cells.place(p) * rank, right, 0, rank);
        scores[p] = DotProduct.of(left, right, rank);
      }
    }
    return scores;
  }

  /** Return the Gramians of the groups of a block. */
  static GroupSums gramians(FactorBlock block, int rank, int rows) {
    int count = block.rows().length / rank;
    return TaskAlgebra.run(
        (memory, worker) -> {
          try (OffHeapFloats group = OffHeapFloats.allocate(memory, (long) Gramians.GROUP * rank)) {
            int firstGroup = block.first() / Gramians.GROUP;
            return GroupSums.of(
                firstGroup,
                groups(count),
                groups(rows),
                number -> {
                  int first = (number - firstGroup) * Gramians.GROUP;
                  int size = Math.min(Gramians.GROUP, count - first);
                  group.write(0, block.rows(), first * rank, size * rank);
                  MatrixSlice slice =
                      MatrixSlice.of(group.slice(0, (long) size * rank), size, rank);
                  double[] sum = new double[Gramians.size(rank)];
                  Gramians.add(Gramians.of(worker).ofGroup(slice), sum);
                  return sum;
                });
          }
        });
  }

  /** Return the number of groups that rows make. */
  static int groups(int rows) {
    return (rows + Gramians.GROUP - 1) / Gramians.GROUP;
  }

  /** Return an iterator over one thing. */
  static <T> Iterator<T> one(T thing) {
    return Collections.singleton(thing).iterator();
  }

  /** Rows of factors on their way from one block to another. */
  static final class RowMessage implements Serializable {
    private static final long serialVersionUID = 1;

    private final int source;
    private final float[] rows;

    /**
     * Create a message.
     *
     * @param source the number of the block that sends
     * @param rows the rows, one after the other
     */
    RowMessage(int source, float[] rows) {
      this.source = source;
      this.rows = rows;
    }

    /** Return the number of the block that sends. */
    int source() {
      return source;
    }

    /** Return the rows, one after the other. */
    float[] rows() {
      return rows;
    }
  }
}
