package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.apache.arrow.memory.RootAllocator;
import org.apiguardian.api.API;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.testkit.fixture.DegenerateGrid;

/**
 * The contract of a compute backend: extend this class and supply the provider.
 *
 * <p>Every result is compared with its definition, cell by cell and in double precision. A session
 * that does not release all its memory when it is closed fails the test that opened it. Where the
 * backend says that it is not available, the tests are skipped.
 *
 * <p>A rule checks what its name says; how it does so is in the class of its section.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class ComputeBackendContract extends ProviderContract {
  private final RootAllocator root = new RootAllocator();

  /** For subclasses. */
  protected ComputeBackendContract() {}

  @Override
  protected abstract ComputeBackendProvider<?> provider();

  /** Return how far a field's value may be from its definition, relative to one or the value. */
  protected double valueTolerance() {
    return 1e-5;
  }

  /** Return how far a sum may be from its definition, relative to the sum of absolute values. */
  protected double sumTolerance() {
    return 1e-5;
  }

  /** Return how far a row of a solution may be from the true one, relative to its length. */
  protected double solutionTolerance() {
    return 1e-4;
  }

  /**
   * Return a grid of at least 10 x 10 cells that the backend cuts into several tiles in both
   * directions, so that threads and the order of tasks could make a difference.
   */
  protected GridShape tiledShape() {
    return new GridShape(150, 70);
  }

  private BackendSessions sessions() {
    return new BackendSessions(this, root);
  }

  /** Close the memory of the test, which fails if some of it is still in use. */
  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** Probing explains its answer, and answers alike every time. */
  @Test
  public void saysWhetherItWorksHere() {
    ComputeBackend backend = sessions().backend();
    Availability availability = backend.probe();
    assertNotNull(availability.explanation());
    assertFalse(availability.explanation().isBlank(), "the availability is not explained");
    assertEquals(availability.available(), backend.probe().available());
    GridShape shape = tiledShape();
    assertEquals(backend.preference(shape), sessions().backend().preference(shape));
  }

  // Fields

  /** Tiles of every kind of field hold what {@link CellField#valueAt} says. */
  @Test
  public void fillsTilesByDefinition() {
    fields().fillsTilesByDefinition();
  }

  /** Gathered values are what {@link CellField#valueAt} says, in by-user order. */
  @Test
  public void gathersByDefinition() {
    fields().gathersByDefinition();
  }

  /** Sums count every cell once, for one field or many. */
  @Test
  public void sumsByDefinition() {
    fields().sumsByDefinition();
  }

  private FieldRules fields() {
    return new FieldRules(sessions());
  }

  // Least squares

  /** Every kind of weights and targets is solved on the dense path. */
  @Test
  public void solvesEveryProblemOnTheDensePath() {
    solutions().solvesEveryProblemOnTheDensePath();
  }

  /** A weight error of zero makes the corrected path exact. */
  @Test
  public void solvesEveryProblemExactlyOnTheCorrectedPathWithoutWeightError() {
    solutions().solvesEveryProblemExactlyOnTheCorrectedPathWithoutWeightError();
  }

  /**
   * With weights that depend on no score the background is exact whatever error is allowed, and
   * with others a small error of weights makes a small error of solutions.
   */
  @Test
  public void solvesEveryProblemOnTheCorrectedPathWithASmallWeightError() {
    solutions().solvesEveryProblemOnTheCorrectedPathWithASmallWeightError();
  }

  /** Sizes and ranks beside the multiples of any tile are solved. */
  @Test
  public void solvesAnySizeAndRank() {
    solutions().solvesAnySizeAndRank();
  }

  /** Penalties follow {@link Ridge}, and rows without weight become zero. */
  @Test
  public void scalesPenaltiesByRowWeight() {
    solutions().scalesPenaltiesByRowWeight();
  }

  /** Every {@link DegenerateGrid} is solved. */
  @Test
  public void solvesDegenerateGrids() {
    solutions().solvesDegenerateGrids();
  }

  /** Weights, targets and penalties at the ends of single precision give numbers, or a refusal. */
  @Test
  public void neverReturnsWhatIsNotANumber() {
    solutions().neverReturnsWhatIsNotANumber();
  }

  /** A half-sweep returns the objective after it. */
  @Test
  public void returnsTheObjectiveByDefinition() {
    solutions().returnsTheObjectiveByDefinition();
  }

  /** No half-sweep makes the objective worse. */
  @Test
  public void neverIncreasesTheObjective() {
    solutions().neverIncreasesTheObjective();
  }

  /** The gradient of the objective vanishes at every solved row. */
  @Test
  public void leavesNoGradientInSolvedRows() {
    solutions().leavesNoGradientInSolvedRows();
  }

  /** The order of users and items has no meaning. */
  @Test
  public void permutingUsersAndItemsPermutesTheSolution() {
    solutions().permutingUsersAndItemsPermutesTheSolution();
  }

  /** Factors that are lent to be read, or of another rank or grid, are refused and unharmed. */
  @Test
  public void refusesFactorsThatItMustNotSolve() {
    solutions().refusesFactorsThatItMustNotSolve();
  }

  private SolutionRules solutions() {
    return new SolutionRules(sessions());
  }

  // Plans of least squares

  /** The listener is notified of each plan, and plans reflect the request. */
  @Test
  public void reportsItsPlan() {
    plans().reportsItsPlan();
  }

  /** No background cell weighs more or less than the plan admits, and no corrected one is off. */
  @Test
  public void keepsWeightErrorsWithinTheReportedBound() {
    plans().keepsWeightErrorsWithinTheReportedBound();
  }

  /** Cells outside a part weigh nothing, or background weighs its share of the part. */
  @Test
  public void keepsHeldOutCellsOutOrCountsThemByExpectation() {
    plans().keepsHeldOutCellsOutOrCountsThemByExpectation();
  }

  /**
   * A problem is solved as if it were the only one: a session that has seen held-out positives in
   * another problem, and is then asked to leave them out, knows nothing of them.
   */
  @Test
  public void remembersNothingOfOtherProblems() {
    plans().remembersNothingOfOtherProblems();
  }

  private PlanRules plans() {
    return new PlanRules(sessions());
  }

  // Ranking

  /** Lists are those of the highest scores, without exclusions, of candidates alone. */
  @Test
  public void ranksByDefinition() {
    rankings().ranksByDefinition();
  }

  /** A list is as long as there are items to rank. */
  @Test
  public void listsAllItemsWhereTheDepthExceedsThem() {
    rankings().listsAllItemsWhereTheDepthExceedsThem();
  }

  /** Of equal scores, the lower item comes first. */
  @Test
  public void ordersEqualScoresByItem() {
    rankings().ordersEqualScoresByItem();
  }

  private RankingRules rankings() {
    return new RankingRules(sessions());
  }

  // Tiles

  /** Every kernel agrees with its definition where the work is cut into tiles. */
  @Test
  public void agreesWithTheDefinitionAcrossTiles() {
    tiles().agreesWithTheDefinitionAcrossTiles();
  }

  /** Announcing a field that will be evaluated often changes no result. */
  @Test
  public void answersAlikeWhateverItKeeps() {
    tiles().answersAlikeWhateverItKeeps();
  }

  private TileRules tiles() {
    return new TileRules(sessions());
  }

  // Matrices

  /** A product of matrices agrees with its definition. */
  @Test
  public void multipliesByDefinition() {
    matrices().multipliesByDefinition();
  }

  /** A matrix times its inverse is the identity. */
  @Test
  public void invertsToTheIdentity() {
    matrices().invertsToTheIdentity();
  }

  /** A matrix that is not positive definite, or not square, is refused. */
  @Test
  public void refusesToInvertWhatIsNotPositiveDefinite() {
    matrices().refusesToInvertWhatIsNotPositiveDefinite();
  }

  private MatrixRules matrices() {
    return new MatrixRules(sessions());
  }

  // Pairwise training

  /** A step goes down the gradient of its sample, with the penalties. */
  @Test
  public void stepsDownThePairwiseGradient() {
    pairwise().stepsDownTheGradient();
  }

  /** Positives are drawn in proportion to their weights. */
  @Test
  public void drawsPositivesByTheirWeights() {
    pairwise().drawsPositivesByTheirWeights();
  }

  /** Negatives are drawn in proportion to a power of their popularity. */
  @Test
  public void drawsNegativesByPopularity() {
    pairwise().drawsNegativesByPopularity();
  }

  /** Positives, excluded cells and cells of other parts are never drawn as negatives. */
  @Test
  public void drawsNegativesFromAllAllowedCellsAndNoOthers() {
    pairwise().drawsNegativesFromAllAllowedCellsAndNoOthers();
  }

  /** Loss and AUC improve on data with planted groups. */
  @Test
  public void learnsToRankPlantedGroups() {
    pairwise().learnsToRankPlantedGroups();
  }

  /** Every {@link DegenerateGrid} is trained on, to finite factors. */
  @Test
  public void trainsPairwiseOnDegenerateGrids() {
    pairwise().survivesDegenerateGrids();
  }

  /** An epoch depends on its number and the request, not on earlier epochs. */
  @Test
  public void pairwiseEpochsDependOnTheirNumberAndTheRequestAlone() {
    pairwise().epochsDependOnTheirNumberAndTheRequestAlone();
  }

  private PairwiseRules pairwise() {
    return new PairwiseRules(sessions());
  }

  // Sessions

  /** Threads and the order of tasks change no bit of any result. */
  @Test
  public void givesTheSameBitsAtAnyThreadCountAndTaskOrder() {
    wholeSessions().givesTheSameBitsAtAnyThreadCountAndTaskOrder();
  }

  /** Every kernel looks whether to stop, stops soon, and gives back its memory. */
  @Test
  public void endsWithCancelledWhenAskedToStop() {
    wholeSessions().endsWithCancelledWhenAskedToStop();
  }

  /** An exception of a host field comes out, as it is or as a cause, and memory is given back. */
  @Test
  public void passesOnTheFailuresOfHostFields() {
    wholeSessions().passesOnTheFailuresOfHostFields();
  }

  /** Too small a budget is refused with the figure, and memory is given back. */
  @Test
  public void refusesWhatDoesNotFitWithAFigure() {
    wholeSessions().refusesWhatDoesNotFitWithAFigure();
  }

  /** Fields, cell sets, models and the other side of factors stay as they are. */
  @Test
  public void leavesItsInputsAlone() {
    wholeSessions().leavesItsInputsAlone();
  }

  private SessionRules wholeSessions() {
    return new SessionRules(sessions());
  }
}
