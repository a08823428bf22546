package org.pecf.benchmarks.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.memory.Side;

/** Time half-sweeps of plain weighted least squares. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "-Darrow.enable_unsafe_memory_access=true"
    })
@State(Scope.Benchmark)
public class SweepBenchmark {
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
