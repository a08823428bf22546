package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.Optional;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.field.Window;
import org.pecf.backend.leastsquares.Background;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.CudaFieldProgram;
import org.pecf.plugin.backend.cuda.field.DeviceCopies;
import org.pecf.plugin.backend.cuda.field.FieldEvaluator;
import org.pecf.plugin.backend.cuda.field.Marks;

/**
 * The observed cells, and those scored beyond the bound up to which the background's weight holds:
 * found by scoring the grid tile by tile. Marks of all tiles are kept where there is memory for
 * them; otherwise tiles are scored again when their cells are listed.
 */
final class ScannedCells implements CudaExceptionFinder.Cells {
  /** The share of free device memory that the marks of all cells may take. */
  private static final double SHARE = 0.25;

  private final SessionContext context;
  private final Device device;
  private final Background background;
  private final GridShape shape;
  private final int rows;
  private final long most;
  private final DeviceCopies copies;
  private final FieldEvaluator evaluator;
  private final FieldEvaluator.Buffers buffers;
  private final DeviceMemory marks;
  private final boolean kept;
  private final DeviceMemory counts;

  /** The tile that was marked last. */
  private int marked;

  /**
   * Allocate the memory of tiles.
   *
   * @param weights the program of the weights
   * @param rows the rows of a tile
   * @param most the most cells that are worth listing
   */
  ScannedCells(
      SessionContext context,
      Device device,
      Scratch working,
      Background background,
      CudaFieldProgram weights,
      int rows,
      long most) {
    this.context = context;
    this.device = device;
    this.background = background;
    this.shape = context.shape();
    this.rows = rows;
    this.most = most;
    DeviceStream stream = device.stream(0);
    copies = new DeviceCopies(device, working);
    evaluator = new FieldEvaluator(context, stream, working, copies, weights);
    background.observed().forEach(copies::cells);
    Window all = new Window(0, shape.users(), 0, shape.items());
    Window largest = new Window(0, Math.min(rows, shape.users()), 0, shape.items());
    buffers = evaluator.buffers(working, largest);
    kept = Marks.bytes(all) <= SHARE * device.freeBytes();
    marks = working.bytes(Marks.bytes(kept ? all : largest));
    counts = working.ints(largest.users());
  }

  /** Return the bytes that a row of a tile takes. */
  static long rowBytes(CudaFieldProgram weights, GridShape shape) {
    Window row = new Window(0, 1, 0, shape.items());
    return weights.bytes(row) + Marks.bytes(row);
  }

  private Window tile(int number) {
    int first = number * rows;
    return new Window(first, Math.min(rows, shape.users() - first), 0, shape.items());
  }

  @Override
  public Optional<long[]> starts() {
    DeviceStream stream = device.stream(0);
    long[] starts = new long[shape.users() + 1];
    for (int number = 0; number * rows < shape.users(); number++) {
      Window window = tile(number);
      int first = window.firstUser();
      mark(number);
      stream.launch(
          "count_rows",
          LaunchGrid.elements(32L * window.users()),
          0,
          marks.from(offset(first)),
          window.users(),
          window.items(),
          counts);
      int[] found = new int[window.users()];
      stream.download(counts, 0, found, found.length);
      for (int u = 0; u < found.length; u++) {
        starts[first + u + 1] = starts[first + u] + found[u];
      }
      if (starts[first + found.length] > most) {
        return Optional.empty();
      }
    }
    return Optional.of(starts);
  }

  /** Return the first byte of the marks of a user whose tile is marked. */
  private long offset(int user) {
    return Marks.bytes(new Window(0, kept ? user : user % rows, 0, shape.items()));
  }

  /** Mark the exceptions of a tile. */
  private void mark(int number) {
    context.run().cancellation().check();
    DeviceStream stream = device.stream(0);
    Window window = tile(number);
    marked = number;
    evaluator.score(stream, buffers, window);
    stream.clear(marks, offset(window.firstUser()), Marks.words(window));
    DeviceSlice own = marks.slice(offset(window.firstUser()), Marks.bytes(window));
    for (SparseCells cells : background.observed()) {
      copies.cells(cells).mark(stream, window, true, own);
    }
    for (int slot = 0; slot < evaluator.program().slots().size(); slot++) {
      stream.launch(
          "mark_beyond",
          LaunchGrid.elements(32 * Marks.words(window)),
          0,
          buffers.scores(slot, window.cells()),
          background.scoreBound(),
          window.users(),
          window.items(),
          own);
    }
  }

  @Override
  public void list(int firstUser, int users, long[] starts, CudaCorrections.SideExceptions byUser) {
    int end = firstUser + users;
    for (int first = firstUser; first < end; ) {
      // Scored again as it was before, so that its marks are the same.
      int number = first / rows;
      if (!kept && marked != number) {
        mark(number);
      }
      int next = kept ? end : Math.min(end, (number + 1) * rows);
      device.stream(0)
          .launch(
              "list_marks",
              LaunchGrid.rows(next - first),
              0,
              marks.from(offset(first)),
              byUser.start(first),
              next - first,
              shape.items(),
              byUser.others());
      first = next;
    }
  }
}
