package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.data.Part;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Mixture;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Responsibility;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.testkit.fixture.TestGrids;

/** Whole trainings on the device end where those on the CPU do. */
class TrainingAgreementTest extends OnStandIn {
  private static final PartMask TRAINING = new CellPartition(7, 3, 1, 1).mask(Part.TRAINING);

  /** The rank up to which tiles are tried: higher ones take other memory, not other tiles. */
  private static final int SMALL = 100;

  /** Two filters, the second of weights by the errors of the first, two sweeps each. */
  @ParameterizedTest
  @CsvSource({
    "20, 15, 1",
    "17, 19, 7",
    "9, 11, 50",
    "5, 7, 109",
    "4, 5, 150",
    "4, 5, 155",
    "4, 5, 222",
    "3, 4, 257",
    "1, 20, 7",
    "20, 1, 7",
    "1, 1, 3",
    "2, 515, 2"
  })
  void progressiveTrainingEndsWhereThatOnTheCpuDoes(int users, int items, int rank) {
    GridShape shape = new GridShape(users, items);
    for (ComputationPath path : List.of(ComputationPath.DENSE, ComputationPath.CORRECTED)) {
      try (SparseCells positives =
          // Some users and items have none.
          TestGrids.cellsWhere(
              root, shape, (u, i) -> u % 5 != 2 && i % 7 != 3 && (u * 31 + i * 17) % 6 == 0)) {
        Outcome expected =
            Sessions.cpu(root, shape, path, session -> train(session, positives, rank));
        assertAgreement(
            expected,
            Sessions.cuda(root, shape, path, session -> train(session, positives, rank)),
            path + " path");
        if (rank > SMALL) {
          continue;
        }
        // The contract tests have small tiles with the other stream's work as late as it may be.
        StandIn.setOthersFirst(true);
        assertAgreement(
            expected,
            Sessions.cudaInSmallTiles(
                root, shape, path, session -> train(session, positives, rank)),
            path + " path in small tiles");
        StandIn.setOthersFirst(false);
      }
    }
  }

  private static void assertAgreement(Outcome expected, Outcome actual, String what) {
    assertClose(expected.objectives(), actual.objectives(), 1e-4, what + ": objectives");
    assertClose(expected.scores(), actual.scores(), 3e-3, what + ": scores");
    assertClose(expected.best(), actual.best(), 3e-3, what + ": best scores");
  }

  /** In small tiles one row of several is too long for steps, and factorised between the others. */
  @Test
  void longRowsBetweenShortOnesAreSolvedToo() {
    GridShape shape = new GridShape(13, 14);
    ComputationPath path = ComputationPath.CORRECTED;
    try (SparseCells positives = TestGrids.cellsWhere(root, shape, (u, i) -> u == 4 || i == u)) {
      Function<ComputeSession, Outcome> training =
          session -> {
            CellField ratings = CellField.observed(positives, 1, 0);
            List<Double> objectives = new ArrayList<>();
            try (FactorModel model = TestGrids.randomModel(root, shape, 40, 1);
                FloatMatrix tile = FloatMatrix.allocate(root, shape.users(), shape.items())) {
              CellField weights = CellField.observed(positives, 1, 0.1f);
              sweep(session, weights, ratings, 40, model, objectives);
              session.fields().fill(CellField.score(model), 0, 0, tile);
              return new Outcome(
                  objectives.stream().mapToDouble(Double::doubleValue).toArray(),
                  values(tile),
                  new double[0]);
            }
          };
      assertAgreement(
          Sessions.cpu(root, shape, path, training),
          Sessions.cudaInSmallTiles(root, shape, path, training),
          "one long row in a tile");
    }
  }

  /** Zeros that weigh more for popular items, with penalties by the weight of rows. */
  @Test
  void zerosThatDifferByItemAreCorrectedAsOnTheCpu() {
    GridShape shape = new GridShape(17, 19);
    int rank = 5;
    try (SparseCells positives =
        TestGrids.cellsWhere(root, shape, (u, i) -> (u * i + u + i) % (2 + i) == 0)) {
      ItemWeights factors = ItemWeights.ofPopularity(positives, 0.8);
      CellField weights =
          new Linear(
              List.of(
                  new Linear.Term(1, CellField.observed(positives, 1, 0)),
                  new Linear.Term(
                      0.1f, CellField.product(CellField.observed(positives, 0, 1), factors))));
      LeastSquaresRequest request =
          new LeastSquaresRequest(
              weights, CellField.observed(positives, 1, 0), rank, new Ridge(0.2, 0.3, 0.7));
      Function<ComputeSession, Outcome> training =
          session -> {
            List<Double> objectives = new ArrayList<>();
            try (FactorModel model = TestGrids.randomModel(root, shape, rank, 1);
                LeastSquares problem = session.leastSquares(request)) {
              assertEquals(ComputationPath.CORRECTED, problem.plan().path());
              assertEquals(positives.count(), problem.plan().exceptions());
              objectives.add(problem.unitPenalty(Side.USERS));
              objectives.add(problem.unitPenalty(Side.ITEMS));
              for (int sweep = 0; sweep < 2; sweep++) {
                objectives.add(problem.solve(Side.USERS, model));
                objectives.add(problem.solve(Side.ITEMS, model));
              }
              return new Outcome(
                  objectives.stream().mapToDouble(Double::doubleValue).toArray(),
                  values(model.users()),
                  values(model.items()));
            }
          };
      ComputationPath path = ComputationPath.CORRECTED;
      Outcome expected = Sessions.cpu(root, shape, path, training);
      assertAgreement(expected, Sessions.cuda(root, shape, path, training), "by item");
      assertAgreement(
          expected, Sessions.cudaInSmallTiles(root, shape, path, training), "in small tiles");
    }
  }

  /** More rows than a launch has blocks in its second dimension. */
  @Test
  void gridsOfMoreThan65535RowsAreEvaluated() {
    GridShape shape = new GridShape(LaunchGrid.MOST_BLOCKS_Y + 465, 2);
    try (SparseCells positives =
            TestGrids.cellsWhere(root, shape, (u, i) -> (u * 31 + i * 17) % 6 == 0);
        FactorModel model = TestGrids.randomModel(root, shape, 2, 1)) {
      CellField error =
          CellField.difference(CellField.observed(positives, 1, 0), CellField.score(model));
      Function<ComputeSession, double[]> values =
          session -> {
            try (FloatMatrix tile = FloatMatrix.allocate(root, shape.users(), shape.items())) {
              session.fields().fill(error, 0, 0, tile);
              return values(tile);
            }
          };
      ComputationPath path = ComputationPath.DENSE;
      assertClose(
          Sessions.cpu(root, shape, path, values),
          Sessions.cuda(root, shape, path, values),
          1e-6,
          "errors");
    }
  }

  /** As many values on the stack leave no room for a block of the usual threads. */
  @Test
  void mixturesOfHundredsOfComponentsAreEvaluated() {
    GridShape shape = new GridShape(3, 50);
    try (SparseCells positives = TestGrids.randomCells(root, shape, 0.3, 1);
        FactorModel model = TestGrids.randomModel(root, shape, 2, 1)) {
      CellField error =
          CellField.difference(CellField.observed(positives, 1, 0), CellField.score(model));
      Mixture mixture = new Mixture(Collections.nCopies(300, 1.0 / 300), 0.4);
      CellField share =
          new Apply(new Responsibility(7, mixture), Collections.nCopies(mixture.size(), error));
      Function<ComputeSession, double[]> values =
          session -> {
            try (FloatMatrix tile = FloatMatrix.allocate(root, shape.users(), shape.items())) {
              session.fields().fill(share, 0, 0, tile);
              return values(tile);
            }
          };
      ComputationPath path = ComputationPath.DENSE;
      assertClose(
          Sessions.cpu(root, shape, path, values),
          Sessions.cuda(root, shape, path, values),
          1e-6,
          "responsibilities");
    }
  }

  private static double[] values(FloatMatrix matrix) {
    double[] values = new double[matrix.rows() * matrix.columns()];
    for (int k = 0; k < values.length; k++) {
      values[k] = matrix.get(k / matrix.columns(), k % matrix.columns());
    }
    return values;
  }

  private record Outcome(double[] objectives, double[] scores, double[] best) {}

  private Outcome train(ComputeSession session, SparseCells positives, int rank) {
    GridShape shape = new GridShape(positives.users(), positives.items());
    CellField ratings = CellField.observed(positives, 1, 0);
    CellField confidence = CellField.product(TRAINING, CellField.observed(positives, 1, 0.01f));
    List<Double> objectives = new ArrayList<>();
    try (FactorModel first = TestGrids.randomModel(root, shape, rank, 1);
        FactorModel second = TestGrids.randomModel(root, shape, rank, 2);
        FloatMatrix tile = FloatMatrix.allocate(root, shape.users(), shape.items())) {
      sweep(session, confidence, ratings, rank, first, objectives);
      CellField posterior =
          new Apply(
              new Posterior(10, 1, 11),
              List.of(CellField.difference(ratings, CellField.score(first))));
      sweep(session, CellField.product(confidence, posterior), ratings, rank, second, objectives);
      CellField prediction =
          new Linear(
              List.of(
                  new Linear.Term(0.6f, CellField.score(first)),
                  new Linear.Term(0.4f, CellField.score(second))));
      session.fields().fill(prediction, 0, 0, tile);
      return new Outcome(
          objectives.stream().mapToDouble(Double::doubleValue).toArray(),
          values(tile),
          best(session, prediction, positives));
    }
  }

  private static void sweep(
      ComputeSession session,
      CellField weights,
      CellField targets,
      int rank,
      FactorModel model,
      List<Double> objectives) {
    try (LeastSquares problem =
        session.leastSquares(
            new LeastSquaresRequest(weights, targets, rank, new Ridge(0.2, 0.3, 0)))) {
      for (int sweep = 0; sweep < 2; sweep++) {
        objectives.add(problem.solve(Side.USERS, model));
        objectives.add(problem.solve(Side.ITEMS, model));
      }
    }
  }

  private static double[] best(
      ComputeSession session, CellField prediction, SparseCells positives) {
    try (RankedItems lists =
        session.rank(
            new RankingRequest(
                prediction, 0, positives.users(), 5, List.of(positives), Optional.empty()))) {
      double[] best = new double[positives.users() * 5];
      for (int user = 0; user < positives.users(); user++) {
        for (int place = 0; place < lists.count(user); place++) {
          best[user * 5 + place] = lists.score(user, place);
        }
      }
      return best;
    }
  }

  private static void assertClose(
      double[] expected, double[] actual, double tolerance, String what) {
    assertEquals(expected.length, actual.length, what);
    double typical = 1e-3;
    for (double value : expected) {
      typical = Math.max(typical, Math.abs(value));
    }
    for (int k = 0; k < expected.length; k++) {
      assertEquals(expected[k], actual[k], tolerance * typical, what + " " + k);
    }
  }

  /**
   * Samples are divided into other blocks than on the CPU, so trainings agree in what they reach.
   */
  @ParameterizedTest
  @CsvSource({"DETERMINISTIC, 1", "DETERMINISTIC, 50", "LOCK_FREE, 7", "LOCK_FREE, 109"})
  void pairwiseTrainingReachesTheLossThatTheCpuReaches(PairwiseMode mode, int rank) {
    GridShape shape = new GridShape(66, 70);
    try (SparseCells positives = TestGrids.planted(root, shape, 3, 0.5, 0.02, 36)) {
      Function<ComputeSession, PairwiseEpoch> training =
          session -> {
            PairwiseRequest request =
                new PairwiseRequest(
                    positives,
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    0.5,
                    new PairwisePenalties(0.01, 0.01, 0.01),
                    rank > 1,
                    mode,
                    new Seed(4));
            try (FactorModel model = TestGrids.randomModel(root, shape, rank, 3);
                PairwiseSgd problem = session.pairwise(request)) {
              for (int user = 0; user < shape.users() && rank > 1; user++) {
                model.users().set(user, rank - 1, 1);
              }
              PairwiseEpoch last = null;
              for (int epoch = 0; epoch < 10; epoch++) {
                last = problem.epoch(model, epoch, 0.03);
              }
              return last;
            }
          };
      PairwiseEpoch expected = Sessions.cpu(root, shape, ComputationPath.DENSE, training);
      PairwiseEpoch actual = Sessions.cuda(root, shape, ComputationPath.DENSE, training);
      assertTrue(expected.loss() > 0, "there is something to learn");
      assertEquals(expected.loss(), actual.loss(), 0.15 * expected.loss());
      assertEquals(expected.auc(), actual.auc(), 0.05);
      assertEquals(expected.samples(), actual.samples());
    }
  }
}
