package org.pecf.spark;

import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import org.pecf.api.memory.Side;
import org.pecf.backend.leastsquares.GroupedSum;
import scala.Tuple2;

/**
 * The ensemble while it grows: the factors of its members in the executors; their weights, and the
 * sums over all cells of products of their scores, on the driver.
 */
final class GrowingEnsemble {
  private final JavaSparkContext context;
  private final TrainingCells grid;
  private final TrainingSettings settings;

  /** {@code sum_ij} of the products of the scores of two members, over all cells. */
  private final double[][] products;

  private JavaRDD<FactorBlock[]> users;
  private JavaRDD<FactorBlock[]> items;
  private double[] weights = {};
  private ScoreSteps steps = ScoreSteps.none();
  private Optional<PositiveScores> prediction = Optional.empty();

  GrowingEnsemble(JavaSparkContext context, TrainingCells grid, TrainingSettings settings) {
    this.context = context;
    this.grid = grid;
    this.settings = settings;
    this.products = new double[settings.members()][settings.members()];
    this.users = none(Side.USERS);
    this.items = none(Side.ITEMS);
  }

  /** Return the factors of no member. */
  private JavaRDD<FactorBlock[]> none(Side side) {
    return grid.side(side).cells().map(block -> new FactorBlock[0]);
  }

  /** Return the number of members. */
  int size() {
    return weights.length;
  }

  /** Return the factors of a side, block by block, by member. */
  JavaRDD<FactorBlock[]> side(Side side) {
    return side == Side.USERS ? users : items;
  }

  /** Return the weight of each member. */
  double[] weights() {
    return weights.clone();
  }

  /** Return the steps that lead to the prediction. */
  ScoreSteps steps() {
    return steps;
  }

  /** Return the prediction of the positives, where it is kept. */
  Optional<PositiveScores> prediction() {
    return prediction;
  }

  /** Return {@code sum_ij f_ij^2} over all cells. */
  double squares() {
    double squares = 0;
    for (int a = 0; a < weights.length; a++) {
      for (int b = 0; b < weights.length; b++) {
        squares += weights[a] * weights[b] * products[a][b];
      }
    }
    return squares;
  }

  /** Let a member join, and return its alpha. */
  double join(MemberSweeps.Member member) {
    int number = size();
    users = stacked(Side.USERS, member, users);
    items = stacked(Side.ITEMS, member, items);
    boolean searches = settings.alpha().kind() == AlphaRule.Kind.DYNAMIC && settings.members() > 1;
    boolean reweighs = settings.construction().reweighs() && number + 1 < settings.members();
    if (searches || reweighs) {
      multiply(number);
    }
    Optional<PositiveScores> scores = Optional.empty();
    if (searches || reweighs && !settings.hardZeros().scans(grid.cells())) {
      scores = Optional.of(PositiveScores.of(grid, member, settings.rank()));
    }
    double alpha = 1;
    if (number > 0) {
      alpha =
          settings.alpha().of(number, searches ? lineSums(number, scores.orElseThrow()) : NO_SUMS);
    }
    prediction =
        prediction.isPresent() && scores.isPresent()
            ? Optional.of(prediction.get().joined(scores.get(), alpha))
            : scores;
    double[] joined = Arrays.copyOf(weights, number + 1);
    for (int older = 0; older < number; older++) {
      joined[older] *= 1 - alpha;
    }
    joined[number] = alpha;
    steps = steps.joined(weights, joined);
    weights = joined;
    return alpha;
  }

  private static final AlphaRule.LineSums NO_SUMS = new AlphaRule.LineSums(0, 0);

  /** Release the prediction; the members stay. */
  void finish() {
    prediction.ifPresent(PositiveScores::release);
  }

  /** Return the factors of the members before and of a new one, which stay in the executors. */
  private static JavaRDD<FactorBlock[]> stacked(
      Side side, MemberSweeps.Member member, JavaRDD<FactorBlock[]> before) {
    JavaRDD<FactorBlock[]> stacked =
        before
            .zipPartitions(
                member.side(side).blocks(),
                (older, newer) -> {
                  FactorBlock[] first = older.next();
                  FactorBlock[] all = Arrays.copyOf(first, first.length + 1);
                  all[first.length] = newer.next();
                  return HalfSweep.one(all);
                })
            .persist(StorageLevel.MEMORY_AND_DISK());
    Jobs.compute("members, " + GridSide.rows(side), stacked);
    before.unpersist();
    return stacked;
  }

  private void multiply(int number) {
    double[] found =
        MemberProducts.ofLast(
            context, users, items, settings.rank(), grid.side(Side.ITEMS).blocks().rows());
    for (int older = 0; older <= number; older++) {
      products[older][number] = found[older];
      products[number][older] = found[older];
    }
  }

  /**
   * Return the sums of the line search, from the products over all cells and a pass over the
   * positives.
   */
  private AlphaRule.LineSums lineSums(int number, PositiveScores scores) {
    double[] sums =
        GroupSums.ofRows(
            "line search",
            grid.side(Side.USERS)
                .cells()
                .zipPartitions(
                    prediction.orElseThrow().users(),
                    (cells, f) -> HalfSweep.one(new Tuple2<>(cells.next(), f.next())))
                .zipPartitions(
                    scores.users(),
                    (cells, g) -> {
                      Tuple2<CellBlock, float[]> own = cells.next();
                      return HalfSweep.one(lineSums(own._1, own._2, g.next()));
                    }));
    double mixed = 0;
    for (int older = 0; older < number; older++) {
      mixed += weights[older] * products[older][number];
    }
    double squaresOfPrediction = squares();
    double zero = settings.zero();
    double excess = (double) settings.positive() - zero;
    double residual = zero * (sums[0] - mixed + squaresOfPrediction) + excess * sums[1];
    double squares =
        zero * (products[number][number] - 2 * mixed + squaresOfPrediction) + excess * sums[2];
    return new AlphaRule.LineSums(residual, squares);
  }

  /** Return the sums of g - f, (1 - f) (g - f) and (g - f)^2 over positives, group by group. */
  private static double[][] lineSums(CellBlock cells, float[] f, float[] g) {
    double[][] sums = new double[3][cells.rows()];
    for (int row = 0; row < cells.rows(); row++) {
      for (int p = cells.start(row); p < cells.start(row + 1); p++) {
        double step = (double) g[p] - f[p];
        sums[0][row] += step;
        sums[1][row] += (1.0 - f[p]) * step;
        sums[2][row] += step * step;
      }
    }
    return new double[][] {
      GroupedSum.groups(sums[0]), GroupedSum.groups(sums[1]), GroupedSum.groups(sums[2])
    };
  }
}
