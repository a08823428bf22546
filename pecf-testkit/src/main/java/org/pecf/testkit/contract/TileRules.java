package org.pecf.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.testkit.contract.Grid.NamedField;
import org.pecf.testkit.contract.Grid.NamedProblem;
import org.pecf.testkit.fixture.TestGrids;

/** The rules for work that is cut into tiles, and for scores that are kept between requests. */
final class TileRules {
  private final BackendSessions sessions;
  private final BufferAllocator allocator;
  private final FieldRules fields;
  private final RankingRules rankings;
  private final SolutionRules solutions;

  TileRules(BackendSessions sessions) {
    this.sessions = sessions;
    this.allocator = sessions.allocator();
    this.fields = new FieldRules(sessions);
    this.rankings = new RankingRules(sessions);
    this.solutions = new SolutionRules(sessions);
  }

  void agreesWithTheDefinitionAcrossTiles() {
    GridShape shape = sessions.tiledShape();
    try (Grid grid = Grid.of(allocator, shape.users(), shape.items(), 22)) {
      NamedField weights =
          new NamedField("weights", CellField.product(grid.confidence(), grid.posterior()));
      NamedField error = new NamedField("error", grid.error());
      sessions.use(
          shape,
          SessionSetup.DENSE,
          session -> {
            double[] sums = session.fields().sums(List.of(weights.field(), error.field()));
            fields.assertSum(weights, shape, sums[0]);
            fields.assertSum(error, shape, sums[1]);
            fields.assertFilled(
                session, error, new int[] {1, 2, shape.users() - 1, shape.items() - 2});
            fields.assertGathered(session, weights, grid.positives());
            rankings.assertRanked(
                shape,
                session,
                RankingRules.request(
                    grid.prediction(),
                    1,
                    shape.users() - 1,
                    10,
                    List.of(grid.positives()),
                    Optional.empty()));
          });
      NamedProblem problem = new NamedProblem("several tiles", grid.reweightedResiduals(4));
      solutions.assertSolved(grid, problem, SessionSetup.DENSE);
      solutions.assertNearlySolved(
          grid, problem, SessionSetup.DENSE.with(ComputationPath.CORRECTED, 1e-3));
    }
  }

  void answersAlikeWhateverItKeeps() {
    GridShape shape = sessions.tiledShape();
    try (Grid grid = Grid.of(allocator, shape.users(), shape.items(), 23);
        FactorModel third = TestGrids.randomModel(allocator, shape, 4, 24)) {
      CellField mixed = combination(grid, third, 0.7f, 0.3f, 0);
      CellField longer = combination(grid, third, 0.7f * 0.6f, 0.3f * 0.6f, 0.4f);
      CellField added = combination(grid, third, 0.7f * 0.6f, 0.3f * 0.6f, 0.9f);
      CellField other = combination(grid, third, 0.2f, -0.5f, 0.4f);
      sessions.use(
          shape,
          SessionSetup.DENSE,
          session -> {
            for (CellField kept :
                List.of(CellField.score(grid.first()), mixed, longer, other, mixed, added)) {
              session.keep(kept);
              for (CellField asked : List.of(kept, longer, other)) {
                assertAnswers(grid, session, asked);
              }
            }
          });
    }
  }

  /** Return a combination of a grid's models and another. */
  private static CellField combination(
      Grid grid, FactorModel third, float ofFirst, float ofSecond, float ofThird) {
    List<Linear.Term> terms = new ArrayList<>();
    terms.add(new Linear.Term(ofFirst, CellField.score(grid.first())));
    terms.add(new Linear.Term(ofSecond, CellField.score(grid.second())));
    if (ofThird != 0) {
      terms.add(new Linear.Term(ofThird, CellField.score(third)));
    }
    return new Linear(terms);
  }

  private void assertAnswers(Grid grid, ComputeSession session, CellField scores) {
    GridShape shape = grid.shape();
    NamedField error =
        new NamedField(
            "error", CellField.difference(CellField.observed(grid.positives(), 1, 0), scores));
    NamedField squares =
        new NamedField(
            "squares", CellField.product(grid.confidence(), CellField.square(error.field())));
    fields.assertFilled(session, error, new int[] {1, 2, shape.users() - 1, shape.items() - 2});
    fields.assertGathered(session, error, grid.positives());
    fields.assertSum(squares, shape, session.fields().sums(List.of(squares.field()))[0]);
    rankings.assertRanked(
        shape,
        session,
        RankingRules.request(
            scores, 1, shape.users() - 1, 10, List.of(grid.positives()), Optional.empty()));
    LeastSquaresRequest problem =
        new LeastSquaresRequest(
            grid.confidence(), error.field(), 4, grid.reweightedResiduals(4).ridge());
    try (FactorModel expected = sessions.start(grid, 4);
        FactorModel actual = sessions.start(grid, 4)) {
      SolutionRules.reference(grid, problem).solve(Side.USERS, expected);
      SolutionRules.solve(session, problem, Side.USERS, actual);
      solutions.assertRowsEqual(expected.users(), actual.users(), "residuals of what is kept");
    }
  }
}
