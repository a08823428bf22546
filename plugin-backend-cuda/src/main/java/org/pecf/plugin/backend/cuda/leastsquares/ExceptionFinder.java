package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.base.field.Window;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.Grid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.DeviceCopies;
import org.pecf.plugin.backend.cuda.field.FieldEvaluator;
import org.pecf.plugin.backend.cuda.field.FieldProgram;
import org.pecf.plugin.backend.cuda.field.Marks;

/**
 * A search for the exceptions to a background, in two passes over the grid, tile by tile: one
 * counts them, one writes them.
 */
final class ExceptionFinder {
  private final SessionContext context;
  private final Device device;
  private final Background background;
  private final GridShape shape;
  private final long most;
  private final FieldProgram program;
  private final int weightSlots;
  private final boolean plainScores;

  ExceptionFinder(
      SessionContext context,
      Device device,
      LeastSquaresRequest request,
      Background background,
      long most) {
    this.context = context;
    this.device = device;
    this.background = background;
    this.shape = context.shape();
    this.most = most;
    // Compiled first, the weights' scores take the first slots.
    List<CellField> fields = List.of(request.weights(), request.targets(), background.targets());
    this.plainScores = !FieldProgram.of(List.of(background.targets())).slots().isEmpty();
    this.program = FieldProgram.of(plainScores ? fields : fields.subList(0, 2));
    this.weightSlots = FieldProgram.of(List.of(request.weights())).slots().size();
  }

  /** Find the exceptions in tiles as large as memory allows. */
  Optional<Corrections> find() {
    return device.inTiles(
        "exceptions among " + shape.users() + " x " + shape.items() + " cells",
        device.tiles().fieldRows(shape.users(), shape.items()),
        1,
        0,
        rowBytes(),
        rows -> device.inScratch(working -> find(working, rows)));
  }

  private boolean bounded() {
    return background.scoreBound() < Float.POSITIVE_INFINITY;
  }

  private long rowBytes() {
    Window row = new Window(0, 1, 0, shape.items());
    return program.bytes(row)
        + Marks.bytes(row)
        + (background.everything() ? row.cells() * Float.BYTES : 0);
  }

  private Optional<Corrections> find(Scratch working, int rows) {
    DeviceStream stream = device.stream(0);
    DeviceCopies copies = new DeviceCopies(stream, working);
    FieldEvaluator evaluator = new FieldEvaluator(context, stream, working, copies, program);
    background.observed().forEach(copies::cells);
    Window largest = new Window(0, rows, 0, shape.items());
    Pass pass = new Pass(working, stream, copies, evaluator, largest);
    long[] userStarts = new long[shape.users() + 1];
    long[] itemStarts = new long[shape.items() + 1];
    if (!count(working, pass, rows, userStarts, itemStarts)) {
      return Optional.empty();
    }
    Scratch kept = new Scratch();
    try {
      Corrections corrections = write(kept, working, pass, rows, userStarts, itemStarts);
      stream.await();
      return Optional.of(corrections);
    } catch (RuntimeException | Error e) {
      device.settle();
      kept.close();
      throw e;
    }
  }

  private boolean count(
      Scratch working, Pass pass, int rows, long[] userStarts, long[] itemStarts) {
    DeviceStream stream = pass.stream;
    DeviceMemory counts = working.ints(rows);
    DeviceMemory columns = working.bytes((long) shape.items() * Long.BYTES);
    stream.clear(columns, 2L * shape.items());
    for (int first = 0; first < shape.users(); first += rows) {
      Window window = pass.mark(first, rows);
      stream.launch(
          "count_rows",
          Grid.elements(32L * window.users()),
          0,
          pass.marks,
          window.users(),
          window.items(),
          counts);
      stream.launch(
          "count_columns",
          Grid.elements(window.items()),
          0,
          pass.marks,
          window.users(),
          window.items(),
          columns);
      int[] found = new int[window.users()];
      stream.download(counts, 0, found, found.length);
      for (int u = 0; u < found.length; u++) {
        userStarts[first + u + 1] = userStarts[first + u] + found[u];
      }
      if (userStarts[first + found.length] > most) {
        return false;
      }
    }
    long[] found = new long[shape.items()];
    stream.download(columns, found);
    for (int item = 0; item < found.length; item++) {
      itemStarts[item + 1] = itemStarts[item] + found[item];
    }
    return true;
  }

  private Corrections write(
      Scratch kept, Scratch working, Pass pass, int rows, long[] userStarts, long[] itemStarts) {
    DeviceStream stream = pass.stream;
    Corrections.SideExceptions byUser =
        Corrections.SideExceptions.allocate(kept, stream, userStarts);
    Corrections.SideExceptions byItem =
        Corrections.SideExceptions.allocate(kept, stream, itemStarts);
    DeviceMemory next = working.bytes((long) itemStarts.length * Long.BYTES);
    stream.upload(next, itemStarts);
    DeviceMemory rowSquares = working.doubles(rows);
    DeviceMemory rowExcess = working.doubles(rows);
    DeviceMemory columnExcess = working.doubles(shape.items());
    stream.clear(columnExcess, 2L * shape.items());
    double squares = 0;
    double[] userExcess = new double[shape.users()];
    float plain = (float) (plainScores ? 0 : background.constantTarget());
    for (int first = 0; first < shape.users(); first += rows) {
      Window window = pass.mark(first, rows);
      pass.evaluate(window);
      DeviceSlice weights = pass.buffers.output(0, window.cells());
      DeviceSlice targets = pass.buffers.output(1, window.cells());
      DeviceSlice plains = plainScores ? pass.buffers.output(2, window.cells()) : DeviceSlice.NONE;
      stream.launch(
          "write_rows",
          Grid.rows(window.users()),
          0,
          pass.marks,
          byUser.start(first),
          background.weight(),
          weights,
          targets,
          plains,
          plain,
          0,
          window.users(),
          window.items(),
          byUser.others(),
          byUser.excess(),
          byUser.pull(),
          rowSquares,
          rowExcess);
      stream.launch(
          "write_columns",
          Grid.elements(window.items()),
          0,
          pass.marks,
          next,
          background.weight(),
          weights,
          targets,
          plains,
          plain,
          first,
          window.users(),
          window.items(),
          byItem.others(),
          byItem.excess(),
          byItem.pull(),
          columnExcess);
      double[] found = new double[window.users()];
      stream.download(rowSquares, found);
      for (double square : found) {
        squares += square;
      }
      stream.download(rowExcess, found);
      System.arraycopy(found, 0, userExcess, first, found.length);
    }
    double[] itemExcess = new double[shape.items()];
    stream.download(columnExcess, itemExcess);
    return new Corrections(
        kept, byUser, byItem, userStarts[shape.users()], squares, userExcess, itemExcess);
  }

  /** The memory of both passes; on one stream, as the cells of an item follow each other. */
  private final class Pass {
    private final DeviceStream stream;
    private final DeviceCopies copies;
    private final FieldEvaluator evaluator;
    private final FieldEvaluator.Buffers buffers;
    private final DeviceMemory marks;
    private final @Nullable DeviceMemory zeros;

    Pass(
        Scratch working,
        DeviceStream stream,
        DeviceCopies copies,
        FieldEvaluator evaluator,
        Window largest) {
      this.stream = stream;
      this.copies = copies;
      this.evaluator = evaluator;
      this.buffers = evaluator.buffers(working, largest);
      this.marks = working.ints(Marks.words(largest));
      this.zeros = background.everything() ? working.floats(largest.cells()) : null;
      if (zeros != null) {
        stream.clear(zeros, largest.cells());
      }
    }

    /** Compute the scores of a tile and mark its exceptions. */
    Window mark(int first, int rows) {
      context.run().cancellation().check();
      Window window = new Window(first, Math.min(rows, shape.users() - first), 0, shape.items());
      evaluator.score(stream, buffers, window);
      stream.clear(marks, Marks.words(window));
      if (zeros != null) {
        beyond(zeros.slice(), -1, window);
        return window;
      }
      for (SparseCells cells : background.observed()) {
        copies.cells(cells).mark(stream, window, true, marks.slice());
      }
      for (int slot = 0; slot < weightSlots && bounded(); slot++) {
        beyond(buffers.scores(slot, window.cells()), background.scoreBound(), window);
      }
      return window;
    }

    private void beyond(DeviceSlice scores, float bound, Window window) {
      stream.launch(
          "mark_beyond",
          Grid.elements(32 * Marks.words(window)),
          0,
          scores,
          bound,
          window.users(),
          window.items(),
          marks);
    }

    /** Evaluate weights and targets of a tile whose scores are computed. */
    void evaluate(Window window) {
      evaluator.evaluateScored(stream, buffers, window);
    }
  }
}
