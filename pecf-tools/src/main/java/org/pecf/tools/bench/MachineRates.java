package org.pecf.tools.bench;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Seed;
import org.pecf.engine.run.Workspace;

/** The rates of the machine itself: of a large product and of a large copy. */
public final class MachineRates {
  private static final int SQUARE = 2048;
  private static final long COPY_BYTES = 256 << 20;

  private MachineRates() {}

  /** Measure the product, in flops, and the copy, in bytes read and written. */
  public static List<Measurement> measure(Workspace workspace, int repetitions) {
    return List.of(product(workspace, repetitions), copy(workspace, repetitions));
  }

  private static Measurement product(Workspace workspace, int repetitions) {
    BufferAllocator allocator = workspace.allocator();
    try (ComputeSession session = workspace.open(new GridShape(SQUARE, SQUARE));
        FloatMatrix a = FloatMatrix.allocate(allocator, SQUARE, SQUARE);
        FloatMatrix b = FloatMatrix.allocate(allocator, SQUARE, SQUARE);
        FloatMatrix c = FloatMatrix.allocate(allocator, SQUARE, SQUARE)) {
      float[] row = new float[SQUARE];
      for (int i = 0; i < SQUARE; i++) {
        new Seed(i).fillNormal(row, 1);
        a.writeRows(i, 1, row);
        b.writeRows(i, 1, row);
      }
      return Stopwatch.best(
          "matrix product " + SQUARE + " x " + SQUARE,
          2.0 * SQUARE * SQUARE * SQUARE,
          "flop",
          repetitions,
          () -> session.matrices().multiply(a, b, c));
    }
  }

  private static Measurement copy(Workspace workspace, int repetitions) {
    BufferAllocator allocator = workspace.allocator();
    try (ArrowBuf from = allocator.buffer(COPY_BYTES);
        ArrowBuf to = allocator.buffer(COPY_BYTES)) {
      from.setZero(0, COPY_BYTES);
      return Stopwatch.best(
          "memory copy",
          2.0 * COPY_BYTES,
          "byte",
          repetitions,
          () -> to.setBytes(0, from, 0, COPY_BYTES));
    }
  }
}
