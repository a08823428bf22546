package org.pecf.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
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
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.data.Dataset;
import org.pecf.data.split.Split;
import org.pecf.data.split.SplitRule;
import org.pecf.engine.construct.TrainingCells;
import org.pecf.engine.run.Workspace;

/**
 * A benchmark of the kernels of an ensemble's round, beside the machine's own rates in the same
 * run.
 *
 * <p>A dense half-sweep is counted as {@code users x items x rank (rank + 1)} flops, whatever else
 * it does.
 */
public final class KernelBenchmark {
  private static final int WARM_EPOCHS = 10;

  /** How many sweeps make a round. */
  private static final int SWEEPS = 8;

  private final Workspace workspace;
  private final Dataset dataset;
  private final KernelSetting setting;
  private final int rank;
  private final int repetitions;
  private final Consumer<Measurement> output;

  /**
   * Set a benchmark up.
   *
   * @param workspace the memory and threads
   * @param dataset the grid to measure on
   * @param setting the training
   * @param repetitions how often everything is repeated
   * @param output receives every measurement
   */
  public KernelBenchmark(
      Workspace workspace,
      Dataset dataset,
      KernelSetting setting,
      int repetitions,
      Consumer<Measurement> output) {
    this.workspace = workspace;
    this.dataset = dataset;
    this.setting = setting;
    this.rank = setting.rank();
    this.repetitions = repetitions;
    this.output = output;
  }

  /** Measure everything. */
  public void run(boolean dense) {
    SplitRule rule = SplitRule.parse("paper");
    try (Split split = rule.split(dataset, new Seed(1).child("split"), workspace.allocator());
        FactorModel first = FactorModel.allocate(workspace.allocator(), dataset.shape(), rank);
        FactorModel next = FactorModel.allocate(workspace.allocator(), dataset.shape(), rank)) {
      TrainingCells cells = TrainingCells.of(split, setting.confidence());
      randomise(first, 1);
      randomise(next, 2);
      MachineRates.measure(workspace, repetitions).forEach(output);
      plain(cells, first);
      CellField error = CellField.difference(cells.ratings(), CellField.score(first));
      CellField weights =
          CellField.product(
              cells.weights(),
              new Apply(
                  new Posterior(setting.nu(), setting.sigma(), 1 + setting.nu()), List.of(error)));
      List<Measurement> rounds = new ArrayList<>();
      if (dense) {
        rounds.add(sweeps("dense", ComputationPath.DENSE, cells, weights, next));
      }
      rounds.add(sweeps("corrected", ComputationPath.CORRECTED, cells, weights, next));
      try (ComputeSession session = workspace.open(dataset.shape())) {
        Measurement search = lineSearch("line search for alpha", session, cells, first, next);
        TrainingCells all =
            new TrainingCells(cells.positives(), Optional.empty(), setting.confidence());
        lineSearch("line search, every zero a training cell", session, all, first, next);
        rounds.forEach(round -> output.accept(round.plus(search)));
        ranking(session, split, first, next);
        pairwise(session, split.training(), next);
      }
    }
  }

  private Measurement measure(String name, double work, String unit, Runnable something) {
    Measurement measurement = Stopwatch.best(name, work, unit, repetitions, something);
    output.accept(measurement);
    return measurement;
  }

  private void randomise(FactorModel factors, long seed) {
    float[] row = new float[rank];
    for (Side side : Side.values()) {
      FloatMatrix matrix = factors.side(side);
      for (int i = 0; i < matrix.rows(); i++) {
        new Seed(seed).child(side.name(), i).fillNormal(row, 0.1);
        matrix.writeRows(i, 1, row);
      }
    }
  }

  /**
   * Measure plain sweeps on a uniform background; their factors serve the measurements that follow.
   */
  private void plain(TrainingCells cells, FactorModel factors) {
    try (ComputeSession session = workspace.open(dataset.shape(), ComputationPath.CORRECTED);
        LeastSquares problem = session.leastSquares(request(cells.weights(), cells))) {
      problem.solve(Side.USERS, factors);
      problem.solve(Side.ITEMS, factors);
      measure(
          "plain sweep",
          1,
          "",
          () -> {
            problem.solve(Side.USERS, factors);
            problem.solve(Side.ITEMS, factors);
          });
    }
  }

  private LeastSquaresRequest request(CellField weights, TrainingCells cells) {
    return new LeastSquaresRequest(
        weights,
        cells.ratings(),
        rank,
        new Ridge(setting.lambda(), setting.lambda(), setting.exponent()));
  }

  /** Measure the parts of a round, and return their sum without the line search. */
  private Measurement sweeps(
      String name,
      ComputationPath path,
      TrainingCells cells,
      CellField weights,
      FactorModel factors) {
    GridShape shape = dataset.shape();
    double flops = path == ComputationPath.DENSE ? (double) shape.cells() * rank * (rank + 1) : 1;
    String unit = path == ComputationPath.DENSE ? "flop" : "";
    try (ComputeSession session = workspace.open(shape, path)) {
      List<LeastSquares> prepared = new ArrayList<>();
      try {
        Measurement preparation =
            measure(
                name + " preparation, re-weighting all cells",
                shape.cells(),
                "cell",
                () -> {
                  prepared.forEach(LeastSquares::close);
                  prepared.clear();
                  prepared.add(session.leastSquares(request(weights, cells)));
                });
        LeastSquares problem = prepared.get(0);
        problem.solve(Side.USERS, factors);
        Measurement users =
            measure(
                name + " half-sweep, users", flops, unit, () -> problem.solve(Side.USERS, factors));
        Measurement items =
            measure(
                name + " half-sweep, items", flops, unit, () -> problem.solve(Side.ITEMS, factors));
        double share = 100.0 * problem.plan().exceptions() / shape.cells();
        return users
            .plus(items)
            .times(SWEEPS)
            .plus(preparation)
            .named(
                String.format(
                    Locale.ROOT, "%s round, %d sweeps (%.1f %% of cells)", name, SWEEPS, share));
      } finally {
        prepared.forEach(LeastSquares::close);
      }
    }
  }

  /** Measure epochs of pairwise steps; spoils the factors for other purposes. */
  private void pairwise(ComputeSession session, SparseCells positives, FactorModel factors) {
    for (PairwiseMode mode : PairwiseMode.values()) {
      randomise(factors, 3);
      PairwiseRequest request =
          PairwiseRequest.of(positives, new PairwisePenalties(0.01, 0.01, 0.01), mode, new Seed(1));
      try (PairwiseSgd problem = session.pairwise(request)) {
        for (int epoch = 0; epoch < WARM_EPOCHS; epoch++) {
          problem.epoch(factors, epoch, 0.05);
        }
        measure(
            "pairwise epoch, " + mode.name().toLowerCase(Locale.ROOT).replace('_', '-'),
            positives.count(),
            "sample",
            () -> problem.epoch(factors, WARM_EPOCHS, 0.05));
      }
    }
  }

  private Measurement lineSearch(
      String name,
      ComputeSession session,
      TrainingCells cells,
      FactorModel first,
      FactorModel next) {
    CellField f = CellField.score(first);
    CellField direction = CellField.difference(CellField.score(next), f);
    CellField residual = CellField.difference(cells.ratings(), f);
    CellField c = cells.weights();
    return measure(
        name,
        dataset.shape().cells(),
        "cell",
        () ->
            session
                .fields()
                .sums(
                    List.of(
                        CellField.product(c, residual, direction),
                        CellField.product(c, direction, direction))));
  }

  private void ranking(ComputeSession session, Split split, FactorModel first, FactorModel next) {
    List<Linear.Term> terms = new ArrayList<>();
    for (int k = 0; k < setting.members(); k++) {
      terms.add(new Linear.Term(1f / setting.members(), new Score(k % 2 == 0 ? first : next)));
    }
    CellField prediction = new Linear(terms);
    int users = dataset.shape().users();
    measure(
        "ranking, " + setting.members() + " members, 200 items a user",
        2.0 * dataset.shape().cells() * rank * setting.members(),
        "flop",
        () -> {
          for (int user = 0; user < users; user += 4096) {
            try (RankedItems ranked =
                session.rank(
                    new RankingRequest(
                        prediction,
                        user,
                        Math.min(4096, users - user),
                        200,
                        List.of(split.training()),
                        Optional.empty()))) {
              ranked.count(0);
            }
          }
        });
  }
}
