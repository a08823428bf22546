package org.pecf.spark;

import java.util.List;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Seed;
import org.pecf.backend.leastsquares.GroupedSum;

/** The training of one member: sweeps over users and items in turn. */
final class MemberSweeps {
  private static final System.Logger LOGGER = System.getLogger(MemberSweeps.class.getName());

  private final JavaSparkContext context;
  private final TrainingCells grid;
  private final TrainingSettings settings;
  private final Seed seed;
  private boolean warned;

  MemberSweeps(JavaSparkContext context, TrainingCells grid, TrainingSettings settings) {
    this.context = context;
    this.grid = grid;
    this.settings = settings;
    this.seed = new Seed(settings.seed()).child("construction");
  }

  /** The factors of a member, its objective, and the penalties of rows whose weights sum to 1. */
  record Member(Factors users, Factors items, double objective, double unitUser, double unitItem) {
    Factors side(Side side) {
      return side == Side.USERS ? users : items;
    }

    /** Release the memory of the executors. */
    void release() {
      users.release();
      items.release();
    }
  }

  /** Train a member. */
  Member train(int number, MemberCells cells) {
    SideProblem ofUsers = problem(Side.USERS, cells);
    SideProblem ofItems = problem(Side.ITEMS, cells);
    double total = totalSquares(ofUsers, cells.side(Side.USERS));
    Factors items = draw(seed.child("member", number));
    @Nullable Factors users = null;
    double objective = Double.POSITIVE_INFINITY;
    List<Factors> checkpointed = List.of();
    for (int sweep = 1; sweep <= settings.iterations(); sweep++) {
      Factors solvedUsers = solve(number, ofUsers, cells, items, sweep);
      if (users != null) {
        users.release();
      }
      users = solvedUsers;
      Factors solvedItems = solve(number, ofItems, cells, users, sweep);
      items.release();
      items = solvedItems;
      if (items.checkpointed()) {
        checkpointed.forEach(Factors::discard);
        checkpointed = List.of(users, items);
      }
      objective = total + users.penalty() - items.explained();
      LOGGER.log(
          System.Logger.Level.INFO,
          "member {0}, sweep {1} of {2}: objective {3}",
          number + 1,
          sweep,
          settings.iterations(),
          objective);
    }
    return new Member(
        Objects.requireNonNull(users),
        items,
        objective,
        ofUsers.unitPenalty(),
        ofItems.unitPenalty());
  }

  private SideProblem problem(Side side, MemberCells cells) {
    SideProblem problem =
        new SideProblem(
            side,
            settings.rank(),
            grid.side(side.other()).blocks().rows(),
            cells.background(),
            settings.positive(),
            side == Side.USERS ? settings.ridge().users() : settings.ridge().items(),
            settings.ridge().exponent(),
            0);
    if (settings.ridge().exponent() == 0) {
      return problem;
    }
    double[] sum =
        GroupSums.ofRows(
            "penalties of " + GridSide.rows(side),
            cells
                .side(side)
                .map(block -> new double[][] {GroupedSum.groups(problem.powers(block))}));
    return problem.withMeanPower(sum[0] / grid.side(side).blocks().rows());
  }

  /** Return {@code sum w t^2}, where targets are 0 and 1. */
  private static double totalSquares(SideProblem problem, JavaRDD<WeightedBlock> cells) {
    return Jobs.collect(
            "squares of targets",
            cells.map(
                block -> {
                  double total = 0;
                  for (int p = 0; p < block.cells().count(); p++) {
                    total += problem.pull(block, p);
                  }
                  return total;
                }))
        .stream()
        .reduce(0.0, Double::sum);
  }

  /** Draw the factors of the items. */
  private Factors draw(Seed member) {
    long value = member.value();
    int rank = settings.rank();
    double deviation = settings.deviation();
    GridSide items = grid.side(Side.ITEMS);
    return Factors.of(
        "random start",
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
      int number, SideProblem problem, MemberCells cells, Factors fixed, int sweep) {
    Side side = problem.side();
    boolean checkpoint =
        settings.checkpoints(context)
            && (sweep % settings.checkpointInterval() == 0 || sweep == settings.iterations());
    Factors factors =
        HalfSweep.solve(
            context,
            halfSweep(number, sweep, side),
            problem,
            fixed,
            cells.sends(side.other()),
            cells.side(side),
            grid.side(side.other()).blocks(),
            grid.side(side).blocks(),
            checkpoint);
    warn(factors);
    return factors;
  }

  /**
   * Return the description of a half-sweep.
   *
   * @param number the member, counted from 0
   * @param sweep the sweep, counted from 1
   */
  static String halfSweep(int number, int sweep, Side side) {
    return "member " + (number + 1) + ", sweep " + sweep + ", " + GridSide.rows(side);
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
}
