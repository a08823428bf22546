package org.pecf.benchmarks.micro;

import org.apache.arrow.memory.ArrowBuf;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Seed;

/**
 * Time the machine itself, as a measure for all else: a product of 17.2 Gflop, and a copy of half a
 * gigabyte read and written.
 */
@State(Scope.Benchmark)
public class MachineBenchmark extends KernelBenchmark {
  private static final int SQUARE = 2048;
  private static final long COPY_BYTES = 256 << 20;

  private ComputeSession session;
  private FloatMatrix a;
  private FloatMatrix b;
  private FloatMatrix c;
  private ArrowBuf from;
  private ArrowBuf to;

  /** Draw the matrices. */
  @Setup(Level.Trial)
  public void prepare(KernelState state) {
    session = state.workspace.open(new GridShape(SQUARE, SQUARE));
    a = FloatMatrix.allocate(state.workspace.allocator(), SQUARE, SQUARE);
    b = FloatMatrix.allocate(state.workspace.allocator(), SQUARE, SQUARE);
    c = FloatMatrix.allocate(state.workspace.allocator(), SQUARE, SQUARE);
    from = state.workspace.allocator().buffer(COPY_BYTES);
    to = state.workspace.allocator().buffer(COPY_BYTES);
    from.setZero(0, COPY_BYTES);
    float[] row = new float[SQUARE];
    for (int k = 0; k < SQUARE; k++) {
      new Seed(k).fillNormal(row, 1);
      a.writeRows(k, 1, row);
      b.writeRows(k, 1, row);
    }
  }

  /** Multiply two matrices of 2,048 rows and columns. */
  @Benchmark
  public void product() {
    session.matrices().multiply(a, b, c);
  }

  /** Copy 256 MiB. */
  @Benchmark
  public void copy() {
    to.setBytes(0, from, 0, COPY_BYTES);
  }

  /** Release everything. */
  @TearDown(Level.Trial)
  public void release() {
    session.close();
    a.close();
    b.close();
    c.close();
    from.close();
    to.close();
  }
}
