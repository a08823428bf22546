package org.pecf.spark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.leastsquares.Background;
import org.pecf.backend.leastsquares.GroupedSum;

/** A least-squares problem whose half-sweeps are jobs of Spark. */
final class SparkLeastSquares implements LeastSquares {
  private final JavaSparkContext context =
      JavaSparkContext.fromSparkContext(Sessions.local().sparkContext());
  private final Map<Side, Blocks> blocks = new EnumMap<>(Side.class);
  private final Map<Side, List<WeightedBlock>> cells = new EnumMap<>(Side.class);
  private final Map<Side, SideProblem> problems = new EnumMap<>(Side.class);
  private final int rank;
  private final LeastSquaresPlan plan;
  private double totalSquares;

  private SparkLeastSquares(
      GridShape shape, LeastSquaresRequest request, double background, Plan plan) {
    this.rank = request.rank();
    long exceptions = 0;
    for (Side side : Side.values()) {
      int rows = side == Side.USERS ? shape.users() : shape.items();
      int others = side == Side.USERS ? shape.items() : shape.users();
      blocks.put(side, Blocks.of(rows, new long[HalfSweep.groups(rows)], 3, 1));
      List<WeightedBlock> all = new ArrayList<>();
      exceptions = 0;
      for (int block = 0; block < blocks.get(side).count(); block++) {
        all.add(block(request, side, block, others, background));
        exceptions += all.get(block).cells().count();
      }
      cells.put(side, all);
      problems.put(side, problem(request, side, rows, others, background));
    }
    this.plan = plan.of(exceptions);
  }

  /** The plan, once the number of exceptions is known. */
  private interface Plan {
    LeastSquaresPlan of(long exceptions);
  }

  /** Prepare a problem in which every cell is an exception. */
  static LeastSquares dense(GridShape shape, LeastSquaresRequest request, String reason) {
    return new SparkLeastSquares(
        shape, request, 0, exceptions -> LeastSquaresPlan.dense(reason, shape.cells(), 0));
  }

  /** Prepare a problem whose exceptions are the cells that weigh or pull unlike the background. */
  static LeastSquares corrected(
      GridShape shape, LeastSquaresRequest request, Background background, String reason) {
    return new SparkLeastSquares(
        shape,
        request,
        background.weight(),
        exceptions -> background.plan(reason, exceptions, new double[0], shape, 0));
  }

  /** List the exceptions of a block. */
  private WeightedBlock block(
      LeastSquaresRequest request, Side side, int block, int others, double background) {
    int first = blocks.get(side).first(block);
    int[] starts = new int[blocks.get(side).size(block) + 1];
    List<Integer> places = new ArrayList<>();
    List<Float> weights = new ArrayList<>();
    List<Float> pulls = new ArrayList<>();
    for (int row = 0; row + 1 < starts.length; row++) {
      for (int other = 0; other < others; other++) {
        int user = side == Side.USERS ? first + row : other;
        int item = side == Side.USERS ? other : first + row;
        float weight = request.weights().valueAt(user, item);
        float target = request.targets().valueAt(user, item);
        if (weight != (float) background || target != 0) {
          places.add(other);
          weights.add(weight);
          pulls.add(weight * target);
          totalSquares += side == Side.USERS ? (double) weight * target * target : 0;
        }
      }
      starts[row + 1] = places.size();
    }
    return new WeightedBlock(
        CellBlock.ofSorted(first, starts, places.stream().mapToInt(place -> place).toArray()),
        FeatureBlock.floats(weights),
        FeatureBlock.floats(pulls));
  }

  private SideProblem problem(
      LeastSquaresRequest request, Side side, int rows, int others, double background) {
    double lambda = side == Side.USERS ? request.ridge().users() : request.ridge().items();
    double exponent = request.ridge().exponent();
    SideProblem problem = new SideProblem(side, rank, others, background, 1, lambda, exponent, 0);
    double sum = 0;
    for (WeightedBlock block : cells.get(side)) {
      for (double group : GroupedSum.groups(problem.powers(block))) {
        sum += group;
      }
    }
    return exponent == 0 ? problem : problem.withMeanPower(sum / rows);
  }

  @Override
  public LeastSquaresPlan plan() {
    return plan;
  }

  @Override
  public double unitPenalty(Side side) {
    return problems.get(side).unitPenalty();
  }

  private JavaRDD<WeightedBlock> distributed(Side side) {
    return context.parallelize(cells.get(side), blocks.get(side).count());
  }

  @Override
  public double solve(Side side, FactorModel factors) {
    Side other = side.other();
    FloatMatrix matrix = factors.side(other);
    List<FactorBlock> rows = new ArrayList<>();
    double penalty = 0;
    for (WeightedBlock block : cells.get(other)) {
      float[] values = new float[block.cells().rows() * rank];
      matrix.readRows(block.cells().first(), block.cells().rows(), values);
      rows.add(new FactorBlock(block.cells().first(), values, 0, 0));
      penalty += HalfSweep.penalty(values, problems.get(other).penalties(block), rank);
    }
    Blocks from = blocks.get(other);
    Blocks to = blocks.get(side);
    Factors fixed =
        Factors.of("test", context.parallelize(rows, from.count()), rank, matrix.rows(), false);
    JavaRDD<WeightedBlock> own = distributed(side);
    JavaRDD<int[][]> sends = GridSide.sends(from, to, own.map(WeightedBlock::cells));
    Factors solved =
        HalfSweep.solve(context, "test", problems.get(side), fixed, sends, own, from, to, false);
    for (FactorBlock block : solved.blocks().collect()) {
      factors.side(side).writeRows(block.first(), block.rows().length / rank, block.rows());
    }
    fixed.release();
    solved.release();
    sends.unpersist();
    return totalSquares + penalty - solved.explained();
  }

  @Override
  public void close() {
    // Everything was released after each half-sweep.
  }
}
