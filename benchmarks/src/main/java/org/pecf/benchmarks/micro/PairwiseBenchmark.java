package org.pecf.benchmarks.micro;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwiseSgd;

/** Time epochs of pairwise steps. */
@State(Scope.Benchmark)
public class PairwiseBenchmark extends KernelBenchmark {
  /** Whether equal seeds give equal bits. */
  @Param({"DETERMINISTIC", "LOCK_FREE"})
  public PairwiseMode mode;

  private PairwiseSgd problem;
  private int count;

  /** Lay out the cells that samples are drawn from. */
  @Setup(Level.Trial)
  public void prepare(KernelState state) {
    problem = state.session.pairwise(state.pairwise(mode));
  }

  /** Make a sample a positive. */
  @Benchmark
  public PairwiseEpoch epoch(KernelState state) {
    return problem.epoch(state.factors, count++, 0.05);
  }

  /** Release the samples. */
  @TearDown(Level.Trial)
  public void release() {
    problem.close();
  }
}
