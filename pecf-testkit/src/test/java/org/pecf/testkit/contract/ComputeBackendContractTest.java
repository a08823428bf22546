package org.pecf.testkit.contract;

import static org.pecf.testkit.contract.ContractRun.assertBreaks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Observed;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.api.run.RunContext;
import org.pecf.testkit.fixture.SessionBackend;
import org.pecf.testkit.reference.ReferenceComputeSession;
import org.pecf.testkit.reference.ReferenceLeastSquares;

/** Backends that are wrong in one way each, and the rules that must tell. */
class ComputeBackendContractTest {
  /** A contract on a backend whose session is tampered with. */
  abstract static class Broken extends ComputeBackendContract {
    abstract ComputeSession session(SessionContext context);

    /** The reference knows no tiles. */
    @Override
    protected GridShape tiledShape() {
      return new GridShape(20, 10);
    }

    @Override
    protected ComputeBackendProvider<?> provider() {
      return new SessionBackend("reference", "wrong in one way", this::session);
    }
  }

  static class Unexplained extends ComputeBackendContract {
    @Override
    protected ComputeBackendProvider<?> provider() {
      return new SessionBackend(
          new ProviderDescription("reference", "unexplained", SpiVersion.CURRENT),
          new Availability(true, ""),
          ReferenceComputeSession::new);
    }
  }

  @Test
  void catchesUnexplainedAvailability() {
    assertBreaks(Unexplained.class, "saysWhetherItWorksHere");
  }

  static class OfAnotherSpi extends ComputeBackendContract {
    @Override
    protected ComputeBackendProvider<?> provider() {
      return new SessionBackend(
          new ProviderDescription("reference", "of the future", 99),
          new Availability(true, "on any machine"),
          ReferenceComputeSession::new);
    }
  }

  @Test
  void catchesAnotherSpiVersion() {
    assertBreaks(OfAnotherSpi.class, "describesItselfAlikeEveryTime");
  }

  static class FillsFromTheFirstItem extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
          super.fill(field, firstUser, 0, tile);
        }
      };
    }
  }

  @Test
  void catchesTilesOfOtherCells() {
    assertBreaks(
        FillsFromTheFirstItem.class,
        "agreesWithTheDefinitionAcrossTiles",
        "answersAlikeWhateverItKeeps",
        "fillsTilesByDefinition");
  }

  static class KeepsTheFirst extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        private CellField kept;

        @Override
        public void keep(CellField scores) {
          kept = kept == null ? scores : kept;
        }

        @Override
        public RankedItems rank(RankingRequest request) {
          return super.rank(
              new RankingRequest(
                  kept == null ? request.scores() : kept,
                  request.firstUser(),
                  request.users(),
                  request.depth(),
                  request.excluded(),
                  request.candidates()));
        }
      };
    }
  }

  @Test
  void catchesAnswersFromWhatWasKeptBefore() {
    assertBreaks(KeepsTheFirst.class, "answersAlikeWhateverItKeeps");
  }

  static class InvertsOneTriangle extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public void invert(FloatMatrix matrix) {
          super.invert(matrix);
          for (int row = 1; row < matrix.rows(); row++) {
            matrix.set(row, 0, 0);
          }
        }
      };
    }
  }

  @Test
  void catchesHalfAnInverse() {
    assertBreaks(InvertsOneTriangle.class, "invertsToTheIdentity");
  }

  static class InvertsAnything extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public void invert(FloatMatrix matrix) {
          try {
            super.invert(matrix);
          } catch (PecfException e) {
            if (e.code() != ErrorCode.BAD_OPTION) {
              throw e;
            }
          }
        }
      };
    }
  }

  @Test
  void catchesInversesOfWhatHasNone() {
    assertBreaks(InvertsAnything.class, "refusesToInvertWhatIsNotPositiveDefinite");
  }

  static class GathersByItem extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public void gather(CellField field, SparseCells cells, ArrowBuf values) {
          context.run().cancellation().check();
          for (int item = 0; item < cells.items(); item++) {
            for (int k = cells.itemStart(item); k < cells.itemStart(item + 1); k++) {
              values.setFloat((long) k * Float.BYTES, field.valueAt(cells.userAt(k), item));
            }
          }
        }
      };
    }
  }

  @Test
  void catchesAnotherOrderOfGatheredValues() {
    assertBreaks(
        GathersByItem.class,
        "agreesWithTheDefinitionAcrossTiles",
        "answersAlikeWhateverItKeeps",
        "gathersByDefinition");
  }

  static class SumsTooMuch extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public double[] sums(List<CellField> fields) {
          double[] sums = super.sums(fields);
          for (int k = 0; k < sums.length; k++) {
            sums[k] += fields.get(k).valueAt(0, 0);
          }
          return sums;
        }
      };
    }
  }

  @Test
  void catchesACellCountedTwice() {
    assertBreaks(
        SumsTooMuch.class,
        "agreesWithTheDefinitionAcrossTiles",
        "answersAlikeWhateverItKeeps",
        "sumsByDefinition");
  }

  static class PenalisesTwice extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public LeastSquares leastSquares(LeastSquaresRequest request) {
          Ridge ridge = request.ridge();
          return super.leastSquares(
              new LeastSquaresRequest(
                  request.weights(),
                  request.targets(),
                  request.rank(),
                  new Ridge(2 * ridge.users(), 2 * ridge.items(), ridge.exponent())));
        }
      };
    }
  }

  @Test
  void catchesAPenaltyOfLambdaInsteadOfHalf() {
    assertBreaks(
        PenalisesTwice.class,
        "remembersNothingOfOtherProblems",
        "agreesWithTheDefinitionAcrossTiles",
        "answersAlikeWhateverItKeeps",
        "solvesEveryProblemOnTheDensePath",
        "solvesEveryProblemOnTheCorrectedPathWithASmallWeightError",
        "solvesEveryProblemExactlyOnTheCorrectedPathWithoutWeightError",
        "solvesAnySizeAndRank",
        "solvesDegenerateGrids",
        "scalesPenaltiesByRowWeight",
        "returnsTheObjectiveByDefinition",
        "leavesNoGradientInSolvedRows",
        "keepsWeightErrorsWithinTheReportedBound",
        "keepsHeldOutCellsOutOrCountsThemByExpectation");
  }

  static class IgnoresTheExponent extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public LeastSquares leastSquares(LeastSquaresRequest request) {
          Ridge ridge = request.ridge();
          return super.leastSquares(
              new LeastSquaresRequest(
                  request.weights(),
                  request.targets(),
                  request.rank(),
                  new Ridge(ridge.users(), ridge.items(), 0)));
        }
      };
    }
  }

  @Test
  void catchesPenaltiesThatAreNotScaled() {
    assertBreaks(
        IgnoresTheExponent.class,
        "scalesPenaltiesByRowWeight",
        "solvesEveryProblemOnTheDensePath",
        "solvesEveryProblemOnTheCorrectedPathWithASmallWeightError",
        "solvesEveryProblemExactlyOnTheCorrectedPathWithoutWeightError",
        "returnsTheObjectiveByDefinition",
        "leavesNoGradientInSolvedRows");
  }

  static class MisstatesItsPenalty extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public LeastSquares leastSquares(LeastSquaresRequest request) {
          return new Delegate(super.leastSquares(request)) {
            @Override
            public double unitPenalty(Side side) {
              return side == Side.USERS ? request.ridge().users() : request.ridge().items();
            }
          };
        }
      };
    }
  }

  @Test
  void catchesAPenaltyStatedWithoutItsNormaliser() {
    assertBreaks(MisstatesItsPenalty.class, "scalesPenaltiesByRowWeight");
  }

  /** Tampers with solutions. */
  abstract static class Solves extends Broken {
    abstract double solve(
        LeastSquares problem, SessionContext context, Side side, FactorModel factors);

    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public LeastSquares leastSquares(LeastSquaresRequest request) {
          LeastSquares problem = super.leastSquares(request);
          return new Delegate(problem) {
            @Override
            public double solve(Side side, FactorModel factors) {
              return Solves.this.solve(problem, context, side, factors);
            }
          };
        }
      };
    }
  }

  static class ForgetsAPenalty extends Solves {
    @Override
    double solve(LeastSquares problem, SessionContext context, Side side, FactorModel factors) {
      double objective = problem.solve(side, factors);
      double[][] rows = ReferenceLeastSquares.rows(factors.items());
      for (double[] row : rows) {
        objective -= 0.001 * ReferenceLeastSquares.dot(row, row);
      }
      return objective;
    }
  }

  @Test
  void catchesAnObjectiveWithoutAllPenalties() {
    assertBreaks(
        ForgetsAPenalty.class,
        "agreesWithTheDefinitionAcrossTiles",
        "returnsTheObjectiveByDefinition",
        "solvesEveryProblemOnTheCorrectedPathWithASmallWeightError");
  }

  static class PassesOnWhatIsNotANumber extends Solves {
    @Override
    double solve(LeastSquares problem, SessionContext context, Side side, FactorModel factors) {
      try {
        return problem.solve(side, factors);
      } catch (PecfException e) {
        if (e.code() == ErrorCode.BAD_OPTION) {
          factors.side(side).set(0, 0, Float.NaN);
          return Double.NaN;
        }
        throw e;
      }
    }
  }

  @Test
  void catchesSolutionsThatAreNotNumbers() {
    assertBreaks(PassesOnWhatIsNotANumber.class, "neverReturnsWhatIsNotANumber");
  }

  static class Rises extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public LeastSquares leastSquares(LeastSquaresRequest request) {
          return new Delegate(super.leastSquares(request)) {
            private int calls;

            @Override
            public double solve(Side side, FactorModel factors) {
              double objective = super.solve(side, factors);
              return ++calls == 7 ? 2 * objective : objective;
            }
          };
        }
      };
    }
  }

  @Test
  void catchesAnObjectiveThatRises() {
    assertBreaks(Rises.class, "neverIncreasesTheObjective");
  }

  static class SolvesPoorly extends Solves {
    @Override
    double solve(LeastSquares problem, SessionContext context, Side side, FactorModel factors) {
      double objective = problem.solve(side, factors);
      FloatMatrix solved = factors.side(side);
      solved.set(0, 0, solved.get(0, 0) + 0.05f);
      return objective;
    }
  }

  @Test
  void catchesARowThatIsOffByLittle() {
    assertBreaks(
        SolvesPoorly.class,
        "remembersNothingOfOtherProblems",
        "agreesWithTheDefinitionAcrossTiles",
        "answersAlikeWhateverItKeeps",
        "solvesEveryProblemOnTheDensePath",
        "solvesEveryProblemOnTheCorrectedPathWithASmallWeightError",
        "solvesEveryProblemExactlyOnTheCorrectedPathWithoutWeightError",
        "solvesAnySizeAndRank",
        "solvesDegenerateGrids",
        "scalesPenaltiesByRowWeight",
        "returnsTheObjectiveByDefinition",
        "leavesNoGradientInSolvedRows",
        "permutingUsersAndItemsPermutesTheSolution",
        "keepsWeightErrorsWithinTheReportedBound",
        "keepsHeldOutCellsOutOrCountsThemByExpectation");
  }

  static class GivesUpAtHighRanks extends Solves {
    @Override
    double solve(LeastSquares problem, SessionContext context, Side side, FactorModel factors) {
      double objective = problem.solve(side, factors);
      if (factors.rank() > 64) {
        factors.side(side).set(0, 64, 0);
      }
      return objective;
    }
  }

  @Test
  void catchesARankThatDoesNotWork() {
    assertBreaks(GivesUpAtHighRanks.class, "solvesAnySizeAndRank");
  }

  static class TouchesTheOtherSide extends Solves {
    @Override
    double solve(LeastSquares problem, SessionContext context, Side side, FactorModel factors) {
      double objective = problem.solve(side, factors);
      FloatMatrix other = factors.side(side.other());
      other.set(0, 0, Math.nextUp(other.get(0, 0)));
      return objective;
    }
  }

  @Test
  void catchesChangesOfTheOtherSide() {
    assertBreaks(TouchesTheOtherSide.class, "leavesItsInputsAlone");
  }

  static class KeepsItsPlan extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public LeastSquares leastSquares(LeastSquaresRequest request) {
          return new ReferenceLeastSquares(request, context.shape(), context.run().cancellation());
        }
      };
    }
  }

  @Test
  void catchesAPlanNobodyHearsOf() {
    assertBreaks(KeepsItsPlan.class, "reportsItsPlan");
  }

  /** The corrected path done right breaks nothing. */
  static class Corrected extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new CorrectedSession(context);
    }
  }

  @Test
  void findsNoFaultInAnHonestCorrectedPath() {
    assertBreaks(Corrected.class);
  }

  /** Every weight is as near as the plan says, but their sum is not. */
  static class UnderstatesTheSum extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new CorrectedSession(context) {
        @Override
        LeastSquaresPlan plan(Approximation approximation) {
          LeastSquaresPlan plan = super.plan(approximation);
          return new LeastSquaresPlan(
              plan.path(),
              plan.reason(),
              plan.exceptions(),
              plan.cells(),
              plan.scoreBound(),
              plan.weightError(),
              0,
              plan.workingBytes());
        }
      };
    }
  }

  @Test
  void catchesAnUnderstatedSumOfWeightErrors() {
    assertBreaks(UnderstatesTheSum.class, "keepsWeightErrorsWithinTheReportedBound");
  }

  static class Understates extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new CorrectedSession(context) {
        @Override
        LeastSquaresPlan plan(Approximation approximation) {
          return super.plan(
              new Approximation(
                  approximation.exact(),
                  approximation.scoreBound(),
                  approximation.constant(),
                  approximation.error() / 3));
        }
      };
    }
  }

  @Test
  void catchesAWeightErrorBeyondTheReportedBound() {
    assertBreaks(
        Understates.class,
        "keepsWeightErrorsWithinTheReportedBound",
        "keepsHeldOutCellsOutOrCountsThemByExpectation");
  }

  static class ForgetsTheShare extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new CorrectedSession(context) {
        @Override
        double share(CellField weights) {
          return 1;
        }
      };
    }
  }

  @Test
  void catchesHeldOutCellsThatCountInFull() {
    assertBreaks(ForgetsTheShare.class, "keepsHeldOutCellsOutOrCountsThemByExpectation");
  }

  /** A field that is one instead of zero where an earlier problem had a positive. */
  record Kept(CellField field, boolean[][] cells) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      float value = field.valueAt(user, item);
      return value == 0 && cells[user][item] ? 1 : value;
    }
  }

  static class RemembersPositives extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      boolean[][] cells = new boolean[context.shape().users()][context.shape().items()];
      return new DelegatingSession(context) {
        @Override
        public LeastSquares leastSquares(LeastSquaresRequest request) {
          if (!(request.targets() instanceof Observed observed)) {
            return super.leastSquares(request);
          }
          boolean[][] before = Arrays.stream(cells).map(boolean[]::clone).toArray(boolean[][]::new);
          for (int user = 0; user < cells.length; user++) {
            for (int item = 0; item < cells[user].length; item++) {
              cells[user][item] |= observed.valueAt(user, item) == 1;
            }
          }
          return super.leastSquares(
              new LeastSquaresRequest(
                  new Kept(request.weights(), before),
                  new Kept(request.targets(), before),
                  request.rank(),
                  request.ridge()));
        }
      };
    }
  }

  @Test
  void catchesASessionThatRemembersPositives() {
    assertBreaks(RemembersPositives.class, "remembersNothingOfOtherProblems");
  }

  /** Targets that are zero on the background. */
  record ZeroBackground(CellField targets, CorrectedSession.Approximation weights)
      implements HostField {
    @Override
    public float valueAt(int user, int item) {
      return BackgroundCells.contain(weights.exact(), user, item, weights.scoreBound())
          ? 0
          : targets.valueAt(user, item);
    }
  }

  static class ForgetsBackgroundTargets extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new CorrectedSession(context) {
        @Override
        CellField targets(CellField targets, Approximation approximation) {
          return new ZeroBackground(targets, approximation);
        }
      };
    }
  }

  @Test
  void catchesABackgroundWithoutTargets() {
    assertBreaks(
        ForgetsBackgroundTargets.class,
        "solvesEveryProblemOnTheCorrectedPathWithASmallWeightError",
        "keepsWeightErrorsWithinTheReportedBound",
        "keepsHeldOutCellsOutOrCountsThemByExpectation");
  }

  static class DependsOnPosition extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public LeastSquares leastSquares(LeastSquaresRequest request) {
          CellField tilted =
              context.shape().items() == 27
                  ? CellField.product(request.weights(), new Grid.Waves(1))
                  : request.weights();
          return super.leastSquares(
              new LeastSquaresRequest(tilted, request.targets(), request.rank(), request.ridge()));
        }
      };
    }
  }

  @Test
  void catchesASolutionThatDependsOnPosition() {
    assertBreaks(DependsOnPosition.class, "permutingUsersAndItemsPermutesTheSolution");
  }

  /** Tampers with requests for lists. */
  abstract static class Ranks extends Broken {
    abstract RankingRequest changed(RankingRequest request, SessionContext context);

    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public RankedItems rank(RankingRequest request) {
          return super.rank(changed(request, context));
        }
      };
    }
  }

  static class RanksSeenItems extends Ranks {
    @Override
    RankingRequest changed(RankingRequest request, SessionContext context) {
      return new RankingRequest(
          request.scores(),
          request.firstUser(),
          request.users(),
          request.depth(),
          request.excluded().stream().limit(1).toList(),
          request.candidates());
    }
  }

  @Test
  void catchesAnIgnoredExclusion() {
    assertBreaks(RanksSeenItems.class, "ranksByDefinition");
  }

  static class RanksAllParts extends Ranks {
    @Override
    RankingRequest changed(RankingRequest request, SessionContext context) {
      return new RankingRequest(
          request.scores(),
          request.firstUser(),
          request.users(),
          request.depth(),
          request.excluded(),
          Optional.empty());
    }
  }

  @Test
  void catchesIgnoredCandidates() {
    assertBreaks(RanksAllParts.class, "ranksByDefinition");
  }

  static class RanksTheFirstUsers extends Ranks {
    @Override
    RankingRequest changed(RankingRequest request, SessionContext context) {
      return new RankingRequest(
          request.scores(),
          0,
          request.users(),
          request.depth(),
          request.excluded(),
          request.candidates());
    }
  }

  @Test
  void catchesListsOfOtherUsers() {
    assertBreaks(
        RanksTheFirstUsers.class,
        "agreesWithTheDefinitionAcrossTiles",
        "answersAlikeWhateverItKeeps",
        "ranksByDefinition",
        "listsAllItemsWhereTheDepthExceedsThem");
  }

  static class RanksOneLess extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public RankedItems rank(RankingRequest request) {
          RankedItems lists = super.rank(request);
          int items = context.shape().items();
          for (int row = 0; row < lists.users() && request.depth() > items; row++) {
            lists.set(row, 0, new int[0], new float[0]);
          }
          return lists;
        }
      };
    }
  }

  @Test
  void catchesAShortList() {
    assertBreaks(RanksOneLess.class, "listsAllItemsWhereTheDepthExceedsThem", "ranksByDefinition");
  }

  static class OrdersEqualScoresBackwards extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public RankedItems rank(RankingRequest request) {
          RankedItems lists = super.rank(request);
          for (int row = 0; row < lists.users(); row++) {
            int number = row;
            List<Integer> places =
                new ArrayList<>(IntStream.range(0, lists.count(row)).boxed().toList());
            places.sort(
                Comparator.<Integer>comparingDouble(place -> -lists.score(number, place))
                    .thenComparing(place -> -lists.item(number, place)));
            lists.set(
                row,
                places.size(),
                places.stream().mapToInt(place -> lists.item(number, place)).toArray(),
                scores(lists, row, places));
          }
          return lists;
        }
      };
    }

    private static float[] scores(RankedItems lists, int row, List<Integer> places) {
      float[] scores = new float[places.size()];
      for (int k = 0; k < scores.length; k++) {
        scores[k] = lists.score(row, places.get(k));
      }
      return scores;
    }
  }

  @Test
  void catchesEqualScoresOutOfOrder() {
    assertBreaks(OrdersEqualScoresBackwards.class, "ordersEqualScoresByItem");
  }

  static class DependsOnThreads extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public double[] sums(List<CellField> fields) {
          double[] sums = super.sums(fields);
          for (int k = 0; k < sums.length; k++) {
            sums[k] *= 1 + 1e-15 * context.run().parallelism().threads();
          }
          return sums;
        }
      };
    }
  }

  @Test
  void catchesBitsThatDependOnThreads() {
    assertBreaks(DependsOnThreads.class, "givesTheSameBitsAtAnyThreadCountAndTaskOrder");
  }

  /** Computes users in tiles of 128 and forgets one in the last. */
  static class ForgetsTheLastTile extends Broken {
    @Override
    protected GridShape tiledShape() {
      return new GridShape(150, 10);
    }

    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public double[] sums(List<CellField> fields) {
          double[] sums = super.sums(fields);
          for (int k = 0; k < sums.length && context.shape().users() > 128; k++) {
            for (int item = 0; item < context.shape().items(); item++) {
              sums[k] -= fields.get(k).valueAt(context.shape().users() - 1, item);
            }
          }
          return sums;
        }
      };
    }
  }

  @Test
  void catchesALastTileThatIsCutShort() {
    assertBreaks(
        ForgetsTheLastTile.class,
        "agreesWithTheDefinitionAcrossTiles",
        "answersAlikeWhateverItKeeps");
  }

  private static SessionContext uncancelled(SessionContext context) {
    return new SessionContext(
        new RunContext(
            context.run().allocator(),
            context.run().parallelism(),
            () -> false,
            context.run().listener()),
        context.shape(),
        context.path(),
        context.weightError());
  }

  static class NeverAsks extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(uncancelled(context));
    }
  }

  @Test
  void catchesWorkThatIsNeverCancelled() {
    assertBreaks(NeverAsks.class, "endsWithCancelledWhenAskedToStop");
  }

  static class AsksAndGoesOn extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(uncancelled(context)) {
        @Override
        public RankedItems rank(RankingRequest request) {
          context.run().cancellation().requested();
          return super.rank(request);
        }
      };
    }
  }

  @Test
  void catchesWorkThatGoesOnAfterItWasCancelled() {
    assertBreaks(AsksAndGoesOn.class, "endsWithCancelledWhenAskedToStop");
  }

  static class KeepsMemoryWhenCancelled extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public double[] sums(List<CellField> fields) {
          ArrowBuf scratch = context.run().allocator().buffer(64);
          try {
            double[] sums = super.sums(fields);
            scratch.close();
            return sums;
          } catch (PecfException e) {
            throw e;
          } catch (RuntimeException e) {
            scratch.close();
            throw e;
          }
        }
      };
    }
  }

  @Test
  void catchesMemoryKeptAfterCancellation() {
    assertBreaks(KeepsMemoryWhenCancelled.class, "endsWithCancelledWhenAskedToStop");
  }

  static class KeepsMemoryWhenFailing extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
          ArrowBuf scratch = context.run().allocator().buffer(64);
          super.fill(field, firstUser, firstItem, tile);
          scratch.close();
        }
      };
    }
  }

  @Test
  void catchesMemoryKeptAfterAFailure() {
    assertBreaks(KeepsMemoryWhenFailing.class, "passesOnTheFailuresOfHostFields");
  }

  static class KeepsMemory extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public void gather(CellField field, SparseCells cells, ArrowBuf values) {
          super.gather(field, cells, values);
          context.run().allocator().buffer(64);
        }
      };
    }
  }

  @Test
  void catchesMemoryKeptAfterSuccess() {
    assertBreaks(
        KeepsMemory.class,
        "agreesWithTheDefinitionAcrossTiles",
        "answersAlikeWhateverItKeeps",
        "gathersByDefinition",
        "givesTheSameBitsAtAnyThreadCountAndTaskOrder",
        "refusesWhatDoesNotFitWithAFigure");
  }

  static class LosesFailures extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public double[] sums(List<CellField> fields) {
          try {
            return super.sums(fields);
          } catch (UnsupportedOperationException e) {
            throw PecfException.internal("Something went wrong.");
          }
        }
      };
    }
  }

  @Test
  void catchesALostFailure() {
    assertBreaks(LosesFailures.class, "passesOnTheFailuresOfHostFields");
  }

  static class RunsOutOfMemoryUnexplained extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public double[] sums(List<CellField> fields) {
          try {
            context.run().allocator().buffer(4096).close();
          } catch (OutOfMemoryException e) {
            throw new IllegalStateException("something failed", e);
          }
          return super.sums(fields);
        }
      };
    }
  }

  @Test
  void catchesAnUnexplainedLackOfMemory() {
    assertBreaks(RunsOutOfMemoryUnexplained.class, "refusesWhatDoesNotFitWithAFigure");
  }

  static class LeavesThePathOpen extends Broken {
    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public LeastSquares leastSquares(LeastSquaresRequest request) {
          LeastSquaresPlan plan =
              new LeastSquaresPlan(
                  ComputationPath.AUTO, "whatever", 0, context.shape().cells(), 0, 0, 0, 0);
          context.run().listener().on(plan);
          return new Delegate(
              new ReferenceLeastSquares(request, context.shape(), context.run().cancellation())) {
            @Override
            public LeastSquaresPlan plan() {
              return plan;
            }
          };
        }
      };
    }
  }

  @Test
  void catchesAPlanThatLeavesThePathOpen() {
    assertBreaks(LeavesThePathOpen.class, "reportsItsPlan");
  }

  /** Take other pairwise steps than those asked for. */
  abstract static class StepsOtherwise extends Broken {
    abstract PairwiseRequest instead(PairwiseRequest request);

    @Override
    ComputeSession session(SessionContext context) {
      return new DelegatingSession(context) {
        @Override
        public PairwiseSgd pairwise(PairwiseRequest request) {
          return super.pairwise(instead(request));
        }
      };
    }
  }

  static class DrawsPositivesAlike extends StepsOtherwise {
    @Override
    PairwiseRequest instead(PairwiseRequest request) {
      return new PairwiseRequest(
          request.positives(),
          Optional.empty(),
          request.excluded(),
          request.candidates(),
          request.popularity(),
          request.penalties(),
          request.itemBias(),
          request.mode(),
          request.seed());
    }
  }

  @Test
  void catchesIgnoredSampleWeights() {
    assertBreaks(
        DrawsPositivesAlike.class, "drawsPositivesByTheirWeights", "drawsNegativesByPopularity");
  }

  static class DrawsExcludedCells extends StepsOtherwise {
    @Override
    PairwiseRequest instead(PairwiseRequest request) {
      return new PairwiseRequest(
          request.positives(),
          request.weights(),
          List.of(),
          request.candidates(),
          request.popularity(),
          request.penalties(),
          request.itemBias(),
          request.mode(),
          request.seed());
    }
  }

  @Test
  void catchesExcludedCellsDrawn() {
    assertBreaks(
        DrawsExcludedCells.class,
        "drawsPositivesByTheirWeights",
        "drawsNegativesFromAllAllowedCellsAndNoOthers");
  }

  static class DrawsOtherParts extends StepsOtherwise {
    @Override
    PairwiseRequest instead(PairwiseRequest request) {
      return new PairwiseRequest(
          request.positives(),
          request.weights(),
          request.excluded(),
          Optional.empty(),
          request.popularity(),
          request.penalties(),
          request.itemBias(),
          request.mode(),
          request.seed());
    }
  }

  @Test
  void catchesNegativesOfOtherParts() {
    assertBreaks(DrawsOtherParts.class, "drawsNegativesFromAllAllowedCellsAndNoOthers");
  }

  static class DrawsNegativesAlike extends StepsOtherwise {
    @Override
    PairwiseRequest instead(PairwiseRequest request) {
      return new PairwiseRequest(
          request.positives(),
          request.weights(),
          request.excluded(),
          request.candidates(),
          0,
          request.penalties(),
          request.itemBias(),
          request.mode(),
          request.seed());
    }
  }

  @Test
  void catchesIgnoredPopularity() {
    assertBreaks(DrawsNegativesAlike.class, "drawsNegativesByPopularity");
  }

  static class ForgetsPenalties extends StepsOtherwise {
    @Override
    PairwiseRequest instead(PairwiseRequest request) {
      return new PairwiseRequest(
          request.positives(),
          request.weights(),
          request.excluded(),
          request.candidates(),
          request.popularity(),
          new PairwisePenalties(0, 0, 0),
          request.itemBias(),
          request.mode(),
          request.seed());
    }
  }

  @Test
  void catchesStepsWithoutPenalties() {
    assertBreaks(ForgetsPenalties.class, "stepsDownThePairwiseGradient");
  }

  static class TrainsTheConstant extends StepsOtherwise {
    @Override
    PairwiseRequest instead(PairwiseRequest request) {
      return new PairwiseRequest(
          request.positives(),
          request.weights(),
          request.excluded(),
          request.candidates(),
          request.popularity(),
          request.penalties(),
          false,
          request.mode(),
          request.seed());
    }
  }

  @Test
  void catchesAConstantFactorThatIsTrained() {
    assertBreaks(TrainsTheConstant.class, "stepsDownThePairwiseGradient");
  }
}
