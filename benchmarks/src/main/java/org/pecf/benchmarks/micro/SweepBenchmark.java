package org.pecf.benchmarks.micro;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.memory.Side;

/** Time half-sweeps of plain weighted least squares. */
@State(Scope.Benchmark)
public class SweepBenchmark extends KernelBenchmark {
  private LeastSquares problem;

  /** Prepare the weights. */
  @Setup(Level.Trial)
  public void prepare(KernelState state) {
    problem = state.session.leastSquares(state.plain());
  }

  /** Solve for all users. */
  @Benchmark
  public double users(KernelState state) {
    return problem.solve(Side.USERS, state.factors);
  }

  /** Solve for all items. */
  @Benchmark
  public double items(KernelState state) {
    return problem.solve(Side.ITEMS, state.factors);
  }

  /** Release the weights. */
  @TearDown(Level.Trial)
  public void release() {
    problem.close();
  }
}
