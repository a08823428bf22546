package org.pecf.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.ValueRange;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Seed;
import org.pecf.backend.base.leastsquares.GroupedSum;
import org.pecf.kernels.algebra.MatrixSlice;
import org.pecf.kernels.algebra.OffHeapFloats;
import org.pecf.kernels.algebra.Worker;
import org.pecf.kernels.field.PosteriorValues;
import org.pecf.kernels.leastsquares.EquationBasis;
import org.pecf.kernels.leastsquares.Gramians;
import scala.Tuple2;

/**
 * The progressive construction on Spark: the driver holds what is small, the sums, the coordinates
 * and the members' weights; positives and factors stay in the executors.
 *
 * <p>Each positive carries the ensemble's prediction of it on both sides, so that cells are
 * re-weighted where they are. Zeros are never listed: they weigh as if predicted perfectly, and
 * {@link MemberReport#ignoredWeight} bounds the weight that this ignores.
 */
final class EnsembleTraining {
  private static final System.Logger LOGGER = System.getLogger(EnsembleTraining.class.getName());

  private final JavaSparkContext context;
  private final Grid grid;
  private final TrainingSettings settings;
  private final Seed seed;
  private final List<MemberReport> reports = new ArrayList<>();

  /** {@code sum_ij} of the products of the scores of two members, over all cells. */
  private final double[][] products;

  private double[] memberWeights = {};
  private boolean warned;

  private EnsembleTraining(JavaSparkContext context, Grid grid, TrainingSettings settings) {
    this.context = context;
    this.grid = grid;
    this.settings = settings;
    this.seed = new Seed(settings.seed()).child("construction");
    this.products = new double[settings.members()][settings.members()];
  }

  /**
   * The members of an ensemble.
   *
   * @param users the factors of users, block by block, by member
   * @param items the factors of items, block by block, by member
   * @param weights the weight of each member
   * @param reports how each was trained
   */
  record Trained(
      JavaRDD<FactorBlock[]> users,
      JavaRDD<FactorBlock[]> items,
      double[] weights,
      List<MemberReport> reports) {
    JavaRDD<FactorBlock[]> side(Side side) {
      return side == Side.USERS ? users : items;
    }
  }

  /** Train an ensemble. */
  static Trained run(JavaSparkContext context, Grid grid, TrainingSettings settings) {
    return new EnsembleTraining(context, grid, settings).run();
  }

  /** The scores of the positives, by user and by item. */
  private record Scores(JavaRDD<float[]> users, JavaRDD<float[]> items) {
    JavaRDD<float[]> side(Side side) {
      return side == Side.USERS ? users : items;
    }

    void release() {
      users.unpersist();
      items.unpersist();
    }
  }

  /** The factors of a member, its objective, and the penalties of rows whose weights sum to 1. */
  record Member(Factors users, Factors items, double objective, double unitUser, double unitItem) {
    Factors side(Side side) {
      return side == Side.USERS ? users : items;
    }
  }

  /**
   * The weights of a member's cells.
   *
   * @param background the weight of a zero
   * @param scores the prediction of the positives, and its function; empty for plain weights
   */
  private record CellWeights(
      double background, Optional<Posterior> function, Optional<Scores> scores) {}

  private Trained run() {
    Optional<Scores> prediction = Optional.empty();
    JavaRDD<FactorBlock[]> users = none(Side.USERS);
    JavaRDD<FactorBlock[]> items = none(Side.ITEMS);
    for (int k = 0; k < settings.members(); k++) {
      CellWeights weights = weights(k, prediction);
      Member member = train(k, weights);
      JavaRDD<FactorBlock[]> moreUsers = stacked(Side.USERS, member, users);
      JavaRDD<FactorBlock[]> moreItems = stacked(Side.ITEMS, member, items);
      moreUsers.count();
      moreItems.count();
      users.unpersist();
      items.unpersist();
      users = moreUsers;
      items = moreItems;
      boolean searches = settings.alpha().kind() == AlphaRule.Kind.DYNAMIC;
      boolean more = k + 1 < settings.members();
      AlphaRule.LineSums sums = new AlphaRule.LineSums(0, 0);
      Optional<Scores> scores = Optional.empty();
      if (more && settings.construction().reweighs() || searches && settings.members() > 1) {
        multiply(k, users, items);
        scores = Optional.of(scores(member));
        sums = lineSums(k, prediction, scores.get());
      }
      double alpha = k == 0 ? 1 : settings.alpha().of(k, sums);
      prediction = joined(prediction, scores, alpha);
      double[] joined = Arrays.copyOf(memberWeights, k + 1);
      for (int older = 0; older < k; older++) {
        joined[older] *= 1 - alpha;
      }
      joined[k] = alpha;
      memberWeights = joined;
      reports.set(k, reports.get(k).joined(alpha, member));
      LOGGER.log(System.Logger.Level.INFO, "member {0}: {1}", k + 1, reports.get(k));
      member.users().release();
      member.items().release();
    }
    prediction.ifPresent(Scores::release);
    return new Trained(users, items, memberWeights, List.copyOf(reports));
  }

  /** Return the factors of no member. */
  private JavaRDD<FactorBlock[]> none(Side side) {
    return grid.side(side).cells().map(block -> new FactorBlock[0]);
  }

  /** Return the factors of the members before and of a new one, which stay in the executors. */
  private static JavaRDD<FactorBlock[]> stacked(
      Side side, Member member, JavaRDD<FactorBlock[]> before) {
    return before
        .zipPartitions(
            member.side(side).blocks(),
            (older, newer) -> {
              FactorBlock[] first = older.next();
              FactorBlock[] all = Arrays.copyOf(first, first.length + 1);
              all[first.length] = newer.next();
              return HalfSweep.one(all);
            })
        .persist(StorageLevel.MEMORY_AND_DISK());
  }

  /** Return the plain weights for the first member, then those of the weighting. */
  private CellWeights weights(int k, Optional<Scores> prediction) {
    if (k == 0 || !settings.construction().reweighs()) {
      reports.add(MemberReport.plain());
      return new CellWeights(settings.zero(), Optional.empty(), Optional.empty());
    }
    Weighting weighting = settings.weighting();
    float positive = settings.positive();
    float[] raw = constants(weighting.function(1));
    Scores scores = prediction.orElseThrow();
    double[] positives =
        sums(
            grid.side(Side.USERS)
                .cells()
                .zipPartitions(
                    scores.users(),
                    (cells, all) ->
                        HalfSweep.one(squaresAndWeights(cells.next(), all.next(), raw, positive))));
    double count = grid.positives();
    double zeros = settings.zero() * (grid.cells() - count);
    double squares = settings.zero() * Math.max(0, predictionSquares() - positives[0]);
    double scale = weighting.scale(positive * count + zeros, positives[1], zeros, squares);
    Posterior function = weighting.function(scale);
    double background = settings.zero() * function.range(List.of(new ValueRange(0, 0))).low();
    double ignored = weighting.steepestChord() * scale * squares;
    double whole = scale * positives[1] + background * (grid.cells() - count);
    reports.add(MemberReport.weighted(function, ignored / whole));
    return new CellWeights(background, Optional.of(function), prediction);
  }

  /** Return the sums of squared predictions and of re-weighted positives, group by group. */
  private static double[][] squaresAndWeights(
      CellBlock cells, float[] scores, float[] function, float positive) {
    float[] weights = reweighted(scores, function, positive);
    double[] squares = new double[cells.rows()];
    double[] sums = new double[cells.rows()];
    for (int row = 0; row < cells.rows(); row++) {
      for (int p = cells.start(row); p < cells.start(row + 1); p++) {
        squares[row] += (double) scores[p] * scores[p];
        sums[row] += weights[p];
      }
    }
    return new double[][] {GroupedSum.groups(squares), GroupedSum.groups(sums)};
  }

  /** Return a function as numbers, which can be sent. */
  static float[] constants(Posterior function) {
    return new float[] {function.nu(), function.sigma(), function.scale()};
  }

  /** Return the weights of positives by how badly they are predicted. */
  static float[] reweighted(float[] scores, float[] function, float positive) {
    float[] weights = new float[scores.length];
    for (int p = 0; p < weights.length; p++) {
      weights[p] = 1 - scores[p];
    }
    Posterior posterior = new Posterior(function[0], function[1], function[2]);
    new PosteriorValues(posterior).of(weights, weights, weights.length);
    for (int p = 0; p < weights.length; p++) {
      weights[p] *= positive;
    }
    return weights;
  }

  /** Add up sums of groups in the order of the rows, whatever the blocks. */
  private static double[] sums(JavaRDD<double[][]> blocks) {
    double[] sums = {};
    for (double[][] block : blocks.collect()) {
      if (sums.length == 0) {
        sums = new double[block.length];
      }
      for (int k = 0; k < sums.length; k++) {
        for (double group : block[k]) {
          sums[k] += group;
        }
      }
    }
    return sums;
  }

  /** Return {@code sum_ij f_ij^2} over all cells. */
  private double predictionSquares() {
    double squares = 0;
    for (int a = 0; a < memberWeights.length; a++) {
      for (int b = 0; b < memberWeights.length; b++) {
        squares += memberWeights[a] * memberWeights[b] * products[a][b];
      }
    }
    return squares;
  }

  /** Train one member: sweep over users and items in turn. */
  private Member train(int k, CellWeights weights) {
    JavaRDD<Tuple2<CellBlock, float[]>> userCells = weighted(Side.USERS, weights);
    JavaRDD<Tuple2<CellBlock, float[]>> itemCells = weighted(Side.ITEMS, weights);
    Problem ofUsers = problem(Side.USERS, weights, userCells);
    Problem ofItems = problem(Side.ITEMS, weights, itemCells);
    double total = totalSquares(ofUsers, userCells);
    Factors items = draw(seed.child("member", k));
    @Nullable Factors users = null;
    double objective = Double.POSITIVE_INFINITY;
    for (int sweep = 1; sweep <= settings.iterations(); sweep++) {
      Factors solvedUsers = solve(ofUsers, userCells, items, sweep);
      if (users != null) {
        users.release();
      }
      users = solvedUsers;
      Factors solvedItems = solve(ofItems, itemCells, users, sweep);
      items.release();
      items = solvedItems;
      objective = total + users.penalty() - items.explained();
      LOGGER.log(
          System.Logger.Level.INFO,
          "member {0}, sweep {1} of {2}: objective {3}",
          k + 1,
          sweep,
          settings.iterations(),
          objective);
    }
    userCells.unpersist();
    itemCells.unpersist();
    return new Member(
        Objects.requireNonNull(users),
        items,
        objective,
        ofUsers.unitPenalty(),
        ofItems.unitPenalty());
  }

  /** Return the cells with their weights, which are kept while a member trains. */
  private JavaRDD<Tuple2<CellBlock, float[]>> weighted(Side side, CellWeights weights) {
    JavaRDD<CellBlock> cells = grid.side(side).cells();
    if (weights.scores().isEmpty()) {
      return cells.map(block -> new Tuple2<>(block, new float[0]));
    }
    float[] function = constants(weights.function().orElseThrow());
    float positive = settings.positive();
    return cells
        .zipPartitions(
            weights.scores().get().side(side),
            (blocks, scores) ->
                HalfSweep.one(
                    new Tuple2<>(blocks.next(), reweighted(scores.next(), function, positive))))
        .persist(StorageLevel.MEMORY_AND_DISK());
  }

  private Problem problem(
      Side side, CellWeights weights, JavaRDD<Tuple2<CellBlock, float[]>> cells) {
    Problem problem =
        new Problem(
            side,
            settings.rank(),
            grid.side(side.other()).blocks().rows(),
            weights.background(),
            settings.positive(),
            side == Side.USERS ? settings.ridge().users() : settings.ridge().items(),
            settings.ridge().exponent(),
            0);
    if (settings.ridge().exponent() == 0) {
      return problem;
    }
    double[] sum =
        sums(
            cells.map(
                block -> new double[][] {GroupedSum.groups(problem.powers(block._1, block._2))}));
    return problem.withMeanPower(sum[0] / grid.side(side).blocks().rows());
  }

  /** Return {@code sum w t^2}: the weights of the positives. */
  private static double totalSquares(Problem problem, JavaRDD<Tuple2<CellBlock, float[]>> cells) {
    return cells
        .map(
            block -> {
              double total = 0;
              for (int p = 0; p < block._1.count(); p++) {
                total += problem.weight(block._2, p);
              }
              return total;
            })
        .reduce(Double::sum);
  }

  /** Draw the factors of the items. */
  private Factors draw(Seed member) {
    long value = member.value();
    int rank = settings.rank();
    double deviation = settings.deviation();
    GridSide items = grid.side(Side.ITEMS);
    return Factors.of(
        items.cells().map(block -> drawn(block, new Seed(value), rank, deviation)),
        rank,
        items.blocks().rows(),
        false);
  }

  private static FactorBlock drawn(CellBlock block, Seed seed, int rank, double deviation) {
    float[] rows = new float[block.rows() * rank];
    float[] row = new float[rank];
    for (int k = 0; k < block.rows(); k++) {
      seed.child("item", block.first() + k).fillNormal(row, deviation);
      System.arraycopy(row, 0, rows, k * rank, rank);
    }
    return new FactorBlock(block.first(), rows, 0, 0);
  }

  /** Solve one side. */
  private Factors solve(
      Problem problem, JavaRDD<Tuple2<CellBlock, float[]>> cells, Factors fixed, int sweep) {
    Side side = problem.side();
    Blocks from = grid.side(side.other()).blocks();
    Blocks to = grid.side(side).blocks();
    EquationBasis basis =
        Kernels.run(
            (memory, worker) ->
                EquationBasis.of(
                    memory,
                    worker,
                    problem.rank(),
                    fixed.triangle(),
                    problem.background(),
                    problem.lambda()));
    Broadcast<EquationBasis> sent = context.broadcast(basis);
    JavaPairRDD<Integer, RowMessage> messages =
        HalfSweep.sendWhitened(fixed.blocks(), grid.sends(side.other()), from, to, sent);
    JavaRDD<FactorBlock> solved =
        messages.zipPartitions(
            cells,
            (received, own) ->
                HalfSweep.one(HalfSweep.solve(received, own.next(), sent.value(), problem)));
    boolean checkpoint =
        context.getCheckpointDir().isPresent()
            && settings.checkpointInterval() > 0
            && (sweep % settings.checkpointInterval() == 0 || sweep == settings.iterations());
    Factors factors = Factors.of(solved, problem.rank(), to.rows(), checkpoint);
    warn(factors);
    return factors;
  }

  /** Say once if executors compute with different libraries. */
  private void warn(Factors factors) {
    if (factors.libraries().size() > 1 && !warned) {
      warned = true;
      LOGGER.log(
          System.Logger.Level.WARNING,
          "Executors compute with {0}: their processors differ, so another run may give other bits"
              + " where blocks are placed otherwise.",
          String.join(" and ", factors.libraries()));
    }
  }

  /** Compute a member's scores of the positives, on both sides. */
  private Scores scores(Member member) {
    return new Scores(scores(member, Side.USERS), scores(member, Side.ITEMS));
  }

  private JavaRDD<float[]> scores(Member member, Side side) {
    int rank = settings.rank();
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
    if (context.getCheckpointDir().isPresent() && settings.checkpointInterval() > 0) {
      scores.checkpoint();
    }
    scores.count();
    return scores;
  }

  /** Mix a member's scores into the prediction of the positives. */
  private static Optional<Scores> joined(
      Optional<Scores> prediction, Optional<Scores> scores, double alpha) {
    if (prediction.isEmpty() || scores.isEmpty()) {
      return scores;
    }
    float old = (float) (1 - alpha);
    float part = (float) alpha;
    Scores mixed =
        new Scores(
            mixed(prediction.get().users(), scores.get().users(), old, part),
            mixed(prediction.get().items(), scores.get().items(), old, part));
    prediction.get().release();
    scores.get().release();
    return Optional.of(mixed);
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
    mixed.count();
    return mixed;
  }

  /**
   * Return the sums of the line search, from the products over all cells and a pass over the
   * positives.
   */
  private AlphaRule.LineSums lineSums(int k, Optional<Scores> prediction, Scores scores) {
    if (k == 0 || settings.alpha().kind() != AlphaRule.Kind.DYNAMIC) {
      return new AlphaRule.LineSums(0, 0);
    }
    double[] sums =
        sums(
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
    for (int older = 0; older < k; older++) {
      mixed += memberWeights[older] * products[older][k];
    }
    double squaresOfPrediction = predictionSquares();
    double zero = settings.zero();
    double excess = (double) settings.positive() - zero;
    double residual = zero * (sums[0] - mixed + squaresOfPrediction) + excess * sums[1];
    double squares = zero * (products[k][k] - 2 * mixed + squaresOfPrediction) + excess * sums[2];
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

  /**
   * Sum the products of the new member's scores and every member's over all cells: {@code sum_ij
   * (u_i . v_j) (x_i . y_j) = sum_i u_i (V'Y) x_i}.
   */
  private void multiply(int k, JavaRDD<FactorBlock[]> users, JavaRDD<FactorBlock[]> items) {
    int rank = settings.rank();
    int rows = grid.side(Side.ITEMS).blocks().rows();
    double[] crossed =
        GroupSums.total(
            items
                .map(
                    block ->
                        Kernels.run((memory, worker) -> cross(memory, worker, block, rank, rows)))
                .collect());
    Broadcast<double[]> sent = context.broadcast(crossed);
    double[] found =
        sums(
            users.map(
                block ->
                    Kernels.run(
                        (memory, worker) -> products(memory, worker, block, rank, sent.value()))));
    for (int older = 0; older <= k; older++) {
      products[older][k] = found[older];
      products[k][older] = found[older];
    }
  }

  /** Return {@code V_a' V_k} of the last member k and all members a, group by group. */
  private static GroupSums cross(
      BufferAllocator memory, Worker worker, FactorBlock[] members, int rank, int rows) {
    FactorBlock last = members[members.length - 1];
    int count = last.rows().length / rank;
    int square = rank * rank;
    long floats = (long) Gramians.GROUP * rank;
    try (OffHeapFloats left = OffHeapFloats.allocate(memory, floats);
        OffHeapFloats right = OffHeapFloats.allocate(memory, floats);
        OffHeapFloats product = OffHeapFloats.allocate(memory, square)) {
      int firstGroup = last.first() / Gramians.GROUP;
      float[] found = new float[square];
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
              worker
                  .algebra()
                  .multiply(
                      1,
                      MatrixSlice.of(left.slice(0, (long) size * rank), size, rank).transpose(),
                      MatrixSlice.of(right.slice(0, (long) size * rank), size, rank),
                      0,
                      MatrixSlice.of(product.slice(0, square), rank, rank));
              product.read(0, found, 0, square);
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
