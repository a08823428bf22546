package org.pecf.plugin.backend.cuda.field;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.HostField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.Lane;
import org.pecf.plugin.backend.cuda.device.Lane.Grid;
import org.pecf.plugin.backend.cuda.device.Lane.Operand;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * Evaluate a program on windows of the grid, or at listed cells: scores by cuBLAS, marks from sets
 * of cells, then everything else in one pass.
 *
 * <p>Fields that only the host can compute, those of plugins, are computed there and copied; what a
 * plugin's function is applied to is computed on the device first.
 */
public final class FieldEvaluator {
  /** How many rows of a window the host computes in one task. */
  private static final int BAND = 32;

  private final SessionContext context;
  private final FieldProgram program;
  private final Residents residents;
  private final DeviceMemory code;
  private final DeviceMemory constants;
  private final List<HostTile> hostTiles = new ArrayList<>();

  /**
   * Set up a program on the device.
   *
   * @param lane what copies it there; others must wait for it before they evaluate
   */
  public FieldEvaluator(
      SessionContext context,
      Lane lane,
      Scratch scratch,
      Residents residents,
      FieldProgram program) {
    this.context = context;
    this.program = program;
    this.residents = residents;
    int[] instructions = program.code();
    code = scratch.ints(instructions.length);
    lane.upload(code, instructions);
    double[] values = program.constants();
    constants = scratch.doubles(values.length);
    lane.upload(constants, bits(values));
    for (ScoreSlot slot : program.slots()) {
      for (FactorModel model : slot.models()) {
        residents.matrix(model.users());
        residents.matrix(model.items());
      }
    }
    program.sets().forEach(residents::cells);
    for (CellField field : program.hostFields()) {
      hostTiles.add(
          field instanceof Apply apply
              ? new AppliedTile(
                  apply.function(),
                  new FieldEvaluator(
                      context, lane, scratch, residents, FieldProgram.of(apply.arguments())))
              : new FilledTile((HostField) field));
    }
  }

  private static long[] bits(double[] values) {
    long[] bits = new long[values.length];
    for (int k = 0; k < bits.length; k++) {
      bits[k] = Double.doubleToRawLongBits(values[k]);
    }
    return bits;
  }

  /** Return the program. */
  public FieldProgram program() {
    return program;
  }

  /** Hold what one lane evaluates windows in: up to a number of cells at a time. */
  public final class Buffers {
    private final DeviceMemory tiles;
    private final DeviceMemory marks;
    private final DeviceMemory outputs;
    private final List<Buffers> arguments = new ArrayList<>();

    private Buffers(Scratch scratch, long cells, long markWords) {
      tiles = scratch.floats(program.tiles() * cells);
      marks = scratch.ints(program.sets().size() * markWords);
      outputs = scratch.floats(program.outputs() * cells);
      for (HostTile tile : hostTiles) {
        arguments.add(
            tile instanceof AppliedTile applied
                ? applied.evaluator.new Buffers(scratch, cells, markWords)
                : null);
      }
    }

    /** Return the address of the first value of a field in the window evaluated last. */
    public long output(int field, long cells) {
      return outputs.address(field * cells * Float.BYTES);
    }

    /** Return the memory of all fields. */
    public DeviceMemory outputs() {
      return outputs;
    }

    /** Return the address of the first score of a combination in the window evaluated last. */
    public long scores(int slot, long cells) {
      return tiles.address(slot * cells * Float.BYTES);
    }
  }

  /**
   * Allocate what one lane needs.
   *
   * @param window the largest window to be evaluated
   */
  public Buffers buffers(Scratch scratch, Window window) {
    return new Buffers(scratch, window.cells(), window.markWords());
  }

  /** Return how many bytes of buffers a window takes. */
  public static long bytes(FieldProgram program, Window window) {
    long bytes =
        (program.tiles() + program.outputs()) * window.cells() * Float.BYTES
            + program.sets().size() * window.markWords() * Integer.BYTES;
    for (CellField field : program.hostFields()) {
      if (field instanceof Apply apply) {
        bytes += bytes(FieldProgram.of(apply.arguments()), window);
      }
    }
    return bytes;
  }

  /** Compute the program's scores on a window. */
  public void score(Lane lane, Buffers buffers, Window window) {
    for (int slot = 0; slot < program.slots().size(); slot++) {
      ScoreSlot combination = program.slots().get(slot);
      for (int k = 0; k < combination.models().size(); k++) {
        FactorModel model = combination.models().get(k);
        int rank = model.rank();
        lane.multiply(
            false,
            true,
            window.users(),
            window.items(),
            rank,
            combination.coefficients().get(k),
            row(model.users(), window.firstUser()),
            row(model.items(), window.firstItem()),
            k == 0 ? 0 : 1,
            new Operand(buffers.scores(slot, window.cells()), window.items()));
      }
    }
  }

  private Operand row(FloatMatrix matrix, int row) {
    return new Operand(
        residents.matrix(matrix).address(FloatMatrix.bytes(row, matrix.columns())),
        matrix.columns());
  }

  /** Evaluate all fields on a window, scores included. */
  public void evaluate(Lane lane, Buffers buffers, Window window) {
    score(lane, buffers, window);
    evaluateScored(lane, buffers, window);
  }

  /** Evaluate all fields on a window whose scores are in place. */
  public void evaluateScored(Lane lane, Buffers buffers, Window window) {
    for (int set = 0; set < program.sets().size(); set++) {
      Residents.CellSet cells = residents.cells(program.sets().get(set));
      lane.launch(
          "mark_cells",
          Grid.rows(window.users()),
          0,
          cells.starts().address(),
          cells.items().address(),
          window.firstUser(),
          window.firstItem(),
          window.users(),
          window.items(),
          0,
          buffers.marks.address(set * window.markWords() * Integer.BYTES));
    }
    for (int k = 0; k < hostTiles.size(); k++) {
      long offset = (program.slots().size() + k) * window.cells() * Float.BYTES;
      hostTiles.get(k).compute(lane, buffers, k, window, offset);
    }
    launch(
        lane,
        buffers,
        window.cells(),
        window.markWords(),
        0,
        0,
        window.firstUser(),
        window.firstItem(),
        window.users(),
        window.items());
  }

  /**
   * Evaluate all fields at listed cells.
   *
   * @param cells the list
   * @param buffers for a window of one user and as many items
   */
  public void evaluate(Lane lane, Buffers buffers, CellList cells) {
    for (int slot = 0; slot < program.slots().size(); slot++) {
      ScoreSlot combination = program.slots().get(slot);
      for (int k = 0; k < combination.models().size(); k++) {
        FactorModel model = combination.models().get(k);
        lane.launch(
            "score_cells",
            Grid.elements(cells.count() * 32L),
            0,
            residents.matrix(model.users()).address(),
            residents.matrix(model.items()).address(),
            model.rank(),
            combination.coefficients().get(k),
            cells.deviceUsers(),
            cells.deviceItems(),
            cells.count(),
            k == 0 ? 0 : 1,
            buffers.scores(slot, cells.count()));
      }
    }
    long words = Window.markWords(cells.count());
    for (int set = 0; set < program.sets().size(); set++) {
      Residents.CellSet members = residents.cells(program.sets().get(set));
      lane.launch(
          "test_cells",
          Grid.elements(cells.count()),
          0,
          members.starts().address(),
          members.items().address(),
          cells.deviceUsers(),
          cells.deviceItems(),
          cells.count(),
          buffers.marks.address(set * words * Integer.BYTES));
    }
    for (int k = 0; k < hostTiles.size(); k++) {
      long offset = (program.slots().size() + k) * (long) cells.count() * Float.BYTES;
      hostTiles.get(k).compute(lane, buffers, k, cells, offset);
    }
    launch(
        lane,
        buffers,
        cells.count(),
        words,
        cells.deviceUsers(),
        cells.deviceItems(),
        0,
        0,
        1,
        cells.count());
  }

  /** Locate a list of cells, on the device and on the host. */
  public record CellList(int count, int[] users, int[] items, long deviceUsers, long deviceItems) {}

  private void launch(
      Lane lane,
      Buffers buffers,
      long tileStride,
      long markStride,
      long cellUsers,
      long cellItems,
      int firstUser,
      int firstItem,
      int rows,
      int columns) {
    int threads = Grid.THREADS;
    // A deep stack leaves room for fewer threads.
    while (threads > 32 && (long) program.depth() * threads * Float.BYTES > 48 << 10) {
      threads /= 2;
    }
    Grid grid =
        new Grid(
            Math.min(1 << 14, (columns + threads - 1) / threads),
            Math.min(rows, 65535),
            threads,
            1);
    lane.launch(
        "evaluate_fields",
        grid,
        program.depth() * threads * Float.BYTES,
        code.address(),
        program.length(),
        constants.address(),
        buffers.tiles.address(),
        tileStride,
        buffers.marks.address(),
        markStride,
        cellUsers,
        cellItems,
        firstUser,
        firstItem,
        rows,
        columns,
        buffers.outputs.address(),
        tileStride);
  }

  /** A tile that the host computes. */
  private interface HostTile {
    void compute(Lane lane, Buffers buffers, int number, Window window, long offset);

    void compute(Lane lane, Buffers buffers, int number, CellList cells, long offset);
  }

  private void inBands(int rows, BandTask task) {
    context
        .run()
        .parallelism()
        .forEach(
            (rows + BAND - 1) / BAND,
            (band, worker) -> task.run(band * BAND, Math.min(rows, (band + 1) * BAND)));
  }

  private interface BandTask {
    void run(int first, int end);
  }

  /** A field that a plugin fills in. */
  private final class FilledTile implements HostTile {
    private final HostField field;

    FilledTile(HostField field) {
      this.field = field;
    }

    @Override
    public void compute(Lane lane, Buffers buffers, int number, Window window, long offset) {
      long rowBytes = FloatMatrix.bytes(1, window.items());
      try (ArrowBuf tile = context.run().allocator().buffer(window.users() * rowBytes)) {
        inBands(
            window.users(),
            (first, end) -> {
              // A view of the tile: it is not closed.
              ArrowBuf band = tile.slice(first * rowBytes, (end - first) * rowBytes);
              field.fill(
                  window.firstUser() + first,
                  window.firstItem(),
                  FloatMatrix.of(band, end - first, window.items()));
            });
        lane.upload(buffers.tiles, offset, tile.memoryAddress(), window.users() * rowBytes);
      }
    }

    @Override
    public void compute(Lane lane, Buffers buffers, int number, CellList cells, long offset) {
      float[] values = new float[cells.count()];
      for (int k = 0; k < values.length; k++) {
        values[k] = field.valueAt(cells.users()[k], cells.items()[k]);
      }
      lane.upload(buffers.tiles, offset, values);
    }
  }

  /** A plugin's function of fields that the device computes. */
  private final class AppliedTile implements HostTile {
    private final CellFunction function;
    private final FieldEvaluator evaluator;

    AppliedTile(CellFunction function, FieldEvaluator evaluator) {
      this.function = function;
      this.evaluator = evaluator;
    }

    @Override
    public void compute(Lane lane, Buffers buffers, int number, Window window, long offset) {
      evaluator.evaluate(lane, buffers.arguments.get(number), window);
      apply(lane, buffers, number, window.users(), window.items(), offset);
    }

    @Override
    public void compute(Lane lane, Buffers buffers, int number, CellList cells, long offset) {
      evaluator.evaluate(lane, buffers.arguments.get(number), cells);
      apply(lane, buffers, number, 1, cells.count(), offset);
    }

    private void apply(Lane lane, Buffers buffers, int number, int rows, int columns, long offset) {
      int count = evaluator.program.outputs();
      long bytes = FloatMatrix.bytes(rows, columns);
      try (ArrowBuf arguments = context.run().allocator().buffer(Math.max(1, count * bytes));
          ArrowBuf values = context.run().allocator().buffer(bytes)) {
        lane.download(
            buffers.arguments.get(number).outputs, 0, arguments.memoryAddress(), count * bytes);
        inBands(
            rows,
            (first, end) -> {
              float[] cell = new float[count];
              long last = FloatMatrix.bytes(end, columns);
              for (long at = FloatMatrix.bytes(first, columns); at < last; at += Float.BYTES) {
                for (int k = 0; k < count; k++) {
                  cell[k] =
                      Float.intBitsToFloat(
                          MemoryUtil.getInt(arguments.memoryAddress() + k * bytes + at));
                }
                MemoryUtil.putInt(
                    values.memoryAddress() + at, Float.floatToRawIntBits(function.value(cell)));
              }
            });
        lane.upload(buffers.tiles, offset, values.memoryAddress(), bytes);
      }
    }
  }
}
