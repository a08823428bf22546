package org.pecf.plugin.backend.cpu.field;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.base.field.Window;
import org.pecf.kernels.algebra.OffHeapFloats;
import org.pecf.kernels.algebra.Worker;

/** The kernels of fields. */
public final class CpuFieldKernels implements FieldKernels {
  private final GridShape shape;
  private final ScoreStore store;
  private final Parallelism parallelism;
  private final Worker[] workers;

  public CpuFieldKernels(
      GridShape shape, ScoreStore store, Parallelism parallelism, Worker[] workers) {
    this.shape = shape;
    this.store = store;
    this.parallelism = parallelism;
    this.workers = workers;
  }

  @Override
  public double[] sums(List<CellField> fields) {
    try (FieldProgram program = FieldProgram.of(fields).join(store)) {
      return sums(program);
    }
  }

  private double[] sums(FieldProgram program) {
    int blocks = TileEvaluator.blocks(shape.users());
    double[][] partial = new double[blocks][program.fields()];
    parallelism.forEach(
        blocks,
        (block, number) -> {
          float[] values = new float[TileEvaluator.ITEMS];
          float[] scratch = new float[TileEvaluator.ITEMS / 4];
          TileEvaluator.visit(
              program,
              workers[number],
              TileEvaluator.block(block, shape.users(), shape.items()),
              (run, firstItem) -> {
                for (int k = 0; k < partial[block].length; k++) {
                  program.evaluate(k, run, values);
                  partial[block][k] += sum(values, scratch, run.count());
                }
              });
        });
    double[] sums = new double[program.fields()];
    for (double[] block : partial) {
      for (int k = 0; k < sums.length; k++) {
        sums[k] += block[k];
      }
    }
    return sums;
  }

  @Override
  public void gather(CellField field, SparseCells cells, ArrowBuf values) {
    FieldProgram program = FieldProgram.of(field).recall(store);
    OffHeapFloats target = OffHeapFloats.borrow(values);
    parallelism.forEach(
        TileEvaluator.blocks(cells.users()),
        (block, number) -> {
          CellRun run = program.run(workers[number]);
          int last = Math.min(cells.users(), (block + 1) * TileEvaluator.USERS);
          for (int user = block * TileEvaluator.USERS; user < last; user++) {
            int start = cells.userStart(user);
            int count = cells.userStart(user + 1) - start;
            int[] items = new int[count];
            for (int p = 0; p < count; p++) {
              items[p] = cells.itemAt(start + p);
            }
            program.moveTo(run, user, items, count);
            float[] result = new float[count];
            program.evaluate(0, run, result);
            target.write(start, result, 0, count);
          }
        });
  }

  @Override
  public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
    FieldProgram program = FieldProgram.of(field).recall(store);
    OffHeapFloats target = OffHeapFloats.borrow(tile.buffer());
    parallelism.forEach(
        TileEvaluator.blocks(tile.rows()),
        (block, number) -> {
          float[] values = new float[TileEvaluator.ITEMS];
          Window rows = TileEvaluator.block(block, tile.rows(), tile.columns());
          TileEvaluator.visit(
              program,
              workers[number],
              new Window(firstUser + rows.firstUser(), rows.users(), firstItem, rows.items()),
              (run, item) -> {
                program.evaluate(0, run, values);
                long row = run.user() - firstUser;
                target.write(row * tile.columns() + item - firstItem, values, 0, run.count());
              });
        });
  }

  /**
   * Add values by quarters, which the JIT vectorises and which rounds less than one running sum;
   * the last ones in double precision.
   *
   * @param values Modified.
   * @param scratch Modified.
   */
  static double sum(float[] values, float[] scratch, int count) {
    float[] from = values;
    float[] to = scratch;
    int left = count;
    while (left > 64) {
      int quarter = left / 4;
      fold(from, to, quarter);
      for (int p = 4 * quarter; p < left; p++) {
        to[p - 4 * quarter] += from[p];
      }
      float[] other = from;
      from = to;
      to = other;
      left = quarter;
    }
    double sum = 0;
    for (int p = 0; p < left; p++) {
      sum += from[p];
    }
    return sum;
  }

  private static void fold(float[] from, float[] to, int quarter) {
    for (int p = 0; p < quarter; p++) {
      to[p] = from[p] + from[p + quarter] + (from[p + 2 * quarter] + from[p + 3 * quarter]);
    }
  }
}
