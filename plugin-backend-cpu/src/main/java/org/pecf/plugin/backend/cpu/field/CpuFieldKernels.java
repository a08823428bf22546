package org.pecf.plugin.backend.cpu.field;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.FoldedSum;
import org.pecf.backend.field.ObservedSets;
import org.pecf.backend.field.QuadraticField;
import org.pecf.backend.field.UnobservedRewrite;
import org.pecf.backend.field.Window;

/** The kernels of fields. */
public final class CpuFieldKernels implements FieldKernels {
  private final GridShape shape;
  private final ScoreStore store;
  private final ScoreProducts products;
  private final Parallelism parallelism;
  private final Worker[] workers;

  public CpuFieldKernels(
      GridShape shape,
      ScoreStore store,
      ScoreProducts products,
      Parallelism parallelism,
      Worker[] workers) {
    this.shape = shape;
    this.store = store;
    this.products = products;
    this.parallelism = parallelism;
    this.workers = workers;
  }

  /**
   * Sum each field over all cells. Where no cell is observed, many a field is a polynomial of
   * scores, whose sum factors give; then only observed cells are visited. The others take a pass
   * over all cells.
   */
  @Override
  public double[] sums(List<CellField> fields) {
    double[] sums = new double[fields.size()];
    List<Integer> quick = new ArrayList<>();
    List<Integer> scanned = new ArrayList<>();
    UnobservedRewrite rewrite = new UnobservedRewrite();
    for (int k = 0; k < sums.length; k++) {
      Optional<QuadraticField.Sum> sum =
          QuadraticField.of(rewrite.of(fields.get(k)))
              .filter(field -> field.isQuickFrom(shape))
              .map(field -> field.sum(shape, products))
              .filter(QuadraticField.Sum::isExact);
      sums[k] = sum.map(QuadraticField.Sum::value).orElse(0.0);
      (sum.isPresent() ? quick : scanned).add(k);
    }
    products.forgetOthers();
    add(quick, observedSums(quick.stream().map(fields::get).toList(), rewrite), sums);
    add(scanned, scannedSums(scanned.stream().map(fields::get).toList()), sums);
    return sums;
  }

  private static void add(List<Integer> places, double[] parts, double[] sums) {
    for (int k = 0; k < parts.length; k++) {
      sums[places.get(k)] += parts[k];
    }
  }

  /** Return how much observed cells add to the sum of each field as if none were observed. */
  private double[] observedSums(List<CellField> fields, UnobservedRewrite rewrite) {
    int count = fields.size();
    ObservedCells observed = ObservedCells.of(ObservedSets.in(fields.toArray(CellField[]::new)));
    if (observed.isEmpty()) {
      return new double[count];
    }
    FieldProgram program =
        FieldProgram.of(Stream.concat(fields.stream(), fields.stream().map(rewrite::of)).toList())
            .recall(store);
    int blocks = TileEvaluator.blocks(shape.users());
    double[][] partial = new double[blocks][count];
    parallelism.forEach(
        blocks,
        (block, number) -> {
          CellRun run = program.run(workers[number]);
          int[] items = new int[shape.items()];
          float[] exact = new float[shape.items()];
          float[] plain = new float[shape.items()];
          Window window = TileEvaluator.block(block, shape.users(), shape.items());
          for (int u = 0; u < window.users(); u++) {
            int user = window.firstUser() + u;
            int cells = observed.list(user, 0, shape.items(), items);
            program.moveTo(run, user, items, cells);
            for (int k = 0; k < count; k++) {
              program.evaluate(k, run, exact);
              program.evaluate(count + k, run, plain);
              for (int p = 0; p < cells; p++) {
                partial[block][k] += (double) exact[p] - plain[p];
              }
            }
          }
        });
    return added(partial, count);
  }

  private double[] scannedSums(List<CellField> fields) {
    if (fields.isEmpty()) {
      return new double[0];
    }
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
                  partial[block][k] += FoldedSum.of(values, scratch, run.count());
                }
              });
        });
    return added(partial, program.fields());
  }

  /** Add up the sums of blocks, in order. */
  private static double[] added(double[][] blocks, int count) {
    double[] sums = new double[count];
    for (double[] block : blocks) {
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
    OffHeapFloats target = OffHeapFloats.borrow(tile.writable());
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
}
