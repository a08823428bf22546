package org.pecf.benchmarks.micro;

import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.Side;

/** Time the steps of a round: re-weighting, a sweep on the new weights, the line search, lists. */
@State(Scope.Benchmark)
public class RoundBenchmark extends KernelBenchmark {
  private static final int USERS_AT_ONCE = 4096;
  private static final int LISTED = 200;

  private LeastSquares problem;

  /** Fit a first member, and re-weight the cells by its errors. */
  @Setup(Level.Trial)
  public void prepare(KernelState state) {
    try (LeastSquares plain = state.session.leastSquares(state.plain())) {
      for (int sweep = 0; sweep < 3; sweep++) {
        plain.solve(Side.USERS, state.factors);
        plain.solve(Side.ITEMS, state.factors);
      }
    }
    problem = state.session.leastSquares(state.reweighted());
  }

  /** Compute all weights of the next member. */
  @Benchmark
  public long reweighting(KernelState state) {
    try (LeastSquares next = state.session.leastSquares(state.reweighted())) {
      return next.plan().exceptions();
    }
  }

  /** Solve for all users and all items on the new weights. */
  @Benchmark
  public double sweep(KernelState state) {
    problem.solve(Side.USERS, state.next);
    return problem.solve(Side.ITEMS, state.next);
  }

  /** Compute the sums that the best weight of the next member follows from. */
  @Benchmark
  public double[] lineSearch(KernelState state) {
    CellField prediction = CellField.score(state.factors);
    CellField direction = CellField.difference(CellField.score(state.next), prediction);
    CellField residual = CellField.difference(state.ratings(), prediction);
    return state
        .session
        .fields()
        .sums(
            List.of(
                CellField.product(state.confidence(), residual, direction),
                CellField.product(state.confidence(), direction, direction)));
  }

  /** Make the lists of all users. */
  @Benchmark
  public int lists(KernelState state) {
    int users = state.dataset.shape().users();
    int listed = 0;
    for (int user = 0; user < users; user += USERS_AT_ONCE) {
      try (RankedItems ranked =
          state.session.rank(
              new RankingRequest(
                  CellField.score(state.factors),
                  user,
                  Math.min(USERS_AT_ONCE, users - user),
                  LISTED,
                  List.of(state.dataset.positives()),
                  Optional.empty()))) {
        listed += ranked.count(0);
      }
    }
    return listed;
  }

  /** Release the weights. */
  @TearDown(Level.Trial)
  public void release() {
    problem.close();
  }
}
