package org.pecf.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Seed;
import org.pecf.data.DataRequest;
import org.pecf.data.Dataset;
import org.pecf.data.DuplicatePolicy;
import org.pecf.data.PositiveRule;
import org.pecf.engine.run.Workspace;
import org.pecf.platform.plugin.ProviderChoice;

/**
 * A benchmark of how cost grows: one dimension at a time is doubled, on generated data and the
 * corrected path, while the others stay.
 */
public final class ScalingBenchmark {
  private static final int DOUBLINGS = 3;
  private static final int SWEEPS = 2;
  private static final int WARM_SWEEPS = 3;
  private static final int LISTED = 50;
  private static final int USERS_AT_ONCE = 4096;
  private static final Ridge RIDGE = new Ridge(0.2, 0.2, 0);

  private final IntFunction<Workspace> workspaces;
  private final int repetitions;
  private final Consumer<ScalingPoint> output;

  /** The sizes of everything. */
  private record Size(int users, int items, int positives, int rank, int members, int threads) {}

  /**
   * Set a benchmark up.
   *
   * @param workspaces opens a workspace with the given number of threads
   * @param repetitions how often everything is repeated
   * @param output receives every point
   */
  public ScalingBenchmark(
      IntFunction<Workspace> workspaces, int repetitions, Consumer<ScalingPoint> output) {
    this.workspaces = workspaces;
    this.repetitions = repetitions;
    this.output = output;
  }

  /**
   * Measure everything.
   *
   * @param threads how many threads there are at most
   */
  public void run(int threads) {
    // The compiler is warm after this.
    measure("", 0, new Size(4_000, 2_000, 100_000, 32, 1, threads));
    for (int k = 0, times = 1; k <= DOUBLINGS; k++, times *= 2) {
      point("users", 4_000 * times, new Size(4_000 * times, 2_000, 200_000, 32, 1, threads));
    }
    for (int k = 0, times = 1; k <= DOUBLINGS; k++, times *= 2) {
      point("items", 2_000 * times, new Size(4_000, 2_000 * times, 200_000, 32, 1, threads));
    }
    for (int k = 0, times = 1; k <= DOUBLINGS; k++, times *= 2) {
      point("positives", 100_000 * times, new Size(4_000, 4_000, 100_000 * times, 32, 1, threads));
    }
    for (int k = 0, times = 1; k <= DOUBLINGS; k++, times *= 2) {
      point("rank", 16 * times, new Size(4_000, 2_000, 200_000, 16 * times, 1, threads));
    }
    for (int k = 0, times = 1; k <= DOUBLINGS; k++, times *= 2) {
      point("members", 2 * times, new Size(4_000, 2_000, 200_000, 32, 2 * times, threads));
    }
    for (int count = 1; count <= threads; count *= 2) {
      point("threads", count, new Size(8_000, 4_000, 400_000, 32, 4, count));
    }
  }

  private void point(String dimension, int size, Size setting) {
    output.accept(measure(dimension, size, setting));
  }

  private ScalingPoint measure(String dimension, int size, Size setting) {
    try (Workspace workspace = workspaces.apply(setting.threads);
        Dataset dataset = workspace.load(request(setting));
        FactorModel first =
            FactorModel.allocate(workspace.allocator(), dataset.shape(), setting.rank);
        FactorModel next =
            FactorModel.allocate(workspace.allocator(), dataset.shape(), setting.rank);
        ComputeSession session = workspace.open(dataset.shape(), ComputationPath.CORRECTED)) {
      randomise(first, 1);
      randomise(next, 2);
      CellField ratings = CellField.observed(dataset.positives(), 1, 0);
      CellField confidence = CellField.observed(dataset.positives(), 1, 0.01f);
      Measurement sweep = plain(session, request(confidence, ratings, setting), first);
      CellField prediction = prediction(first, setting.members);
      CellField weights =
          CellField.product(
              confidence,
              new Apply(
                  new Posterior(10, 1, 11), List.of(CellField.difference(ratings, prediction))));
      Measurement round =
          Stopwatch.best(
              "round",
              1,
              "",
              repetitions,
              () -> {
                try (LeastSquares problem =
                    session.leastSquares(request(weights, ratings, setting))) {
                  sweeps(problem, next, SWEEPS);
                }
              });
      Measurement ranking =
          Stopwatch.best("ranking", 1, "", repetitions, () -> rank(session, dataset, prediction));
      return new ScalingPoint(
          dimension,
          size,
          sweep.cpuSeconds(),
          round.cpuSeconds(),
          round.wallSeconds(),
          ranking.cpuSeconds(),
          workspace.allocator().getPeakMemoryAllocation());
    }
  }

  private static DataRequest request(Size setting) {
    return new DataRequest(
        "builtin:peer",
        Optional.empty(),
        Optional.empty(),
        new ProviderChoice(
            "synthetic",
            Map.of(
                "users", Integer.toString(setting.users),
                "items", Integer.toString(setting.items),
                "positives", Integer.toString(setting.positives))),
        PositiveRule.all(),
        0,
        0,
        DuplicatePolicy.LAST);
  }

  private static LeastSquaresRequest request(CellField weights, CellField ratings, Size setting) {
    return new LeastSquaresRequest(weights, ratings, setting.rank, RIDGE);
  }

  private static void randomise(FactorModel factors, long seed) {
    float[] row = new float[factors.rank()];
    for (Side side : Side.values()) {
      FloatMatrix matrix = factors.side(side);
      for (int i = 0; i < matrix.rows(); i++) {
        new Seed(seed).child(side.name(), i).fillNormal(row, 0.1);
        matrix.writeRows(i, 1, row);
      }
    }
  }

  private Measurement plain(
      ComputeSession session, LeastSquaresRequest request, FactorModel factors) {
    try (LeastSquares problem = session.leastSquares(request)) {
      sweeps(problem, factors, WARM_SWEEPS);
      return Stopwatch.best("plain sweep", 1, "", repetitions, () -> sweeps(problem, factors, 1));
    }
  }

  private static void sweeps(LeastSquares problem, FactorModel factors, int count) {
    for (int sweep = 0; sweep < count; sweep++) {
      problem.solve(Side.USERS, factors);
      problem.solve(Side.ITEMS, factors);
    }
  }

  /** Return the mean of the given number of members; being equal makes none of them cheaper. */
  private static CellField prediction(FactorModel member, int members) {
    List<Linear.Term> terms = new ArrayList<>();
    for (int k = 0; k < members; k++) {
      terms.add(new Linear.Term(1f / members, new Score(member)));
    }
    return new Linear(terms);
  }

  private static void rank(ComputeSession session, Dataset dataset, CellField prediction) {
    int users = dataset.shape().users();
    for (int user = 0; user < users; user += USERS_AT_ONCE) {
      try (RankedItems ranked =
          session.rank(
              new RankingRequest(
                  prediction,
                  user,
                  Math.min(USERS_AT_ONCE, users - user),
                  LISTED,
                  List.of(dataset.positives()),
                  Optional.empty()))) {
        ranked.count(0);
      }
    }
  }
}
